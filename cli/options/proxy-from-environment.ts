import { BlockList, isIP } from 'node:net';
import { baseUrlParts } from '../../harness/base-url-parts.ts';
import type { Environment } from '../../harness/target/target-description.ts';
import { tried } from '../../harness/tried.ts';
import { UsageError } from '../../harness/usage-error.ts';

/** A proxy, and the variable that names it. */
export interface ChosenProxy {
  /** With its credentials, which are secret. */
  readonly url: string;
  readonly variable: string;
}

/** The proxy that the environment has requests to a base URL go through, by the rules that curl follows. */
export function proxyFromEnvironment(baseUrl: string, env: Environment): ChosenProxy | undefined {
  const { scheme, hostname, port } = baseUrlParts(baseUrl);
  const given = (name: string): string => env[name]?.trim() ?? '';
  const names = [`${scheme}_proxy`, `${scheme.toUpperCase()}_PROXY`, 'all_proxy', 'ALL_PROXY'];
  const variable = names.find((name) => given(name) !== '');
  if (variable === undefined) return undefined;
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isExcepted(host, port, given('no_proxy') || given('NO_PROXY'))) return undefined;
  return { url: readProxy(given(variable), variable), variable };
}

/** The URL is not repeated in messages, for its credentials. */
function readProxy(value: string, variable: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(value)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    throw new UsageError({
      where: variable,
      what: `proxies of the scheme ${scheme} are not supported`,
      why: 'the harness connects through HTTP proxies, by CONNECT',
      remedy: 'name an http:// or https:// proxy there, or the host of the target in NO_PROXY',
    });
  }
  const url = URL.parse(scheme === undefined ? `http://${value}` : value);
  const canDecode = url !== null && tried(decodeURIComponent, url.username + url.password) !== undefined;
  if (url === null || url.hostname === '' || !canDecode) {
    throw new UsageError({
      where: variable,
      what: 'this is not the URL of a proxy',
      remedy: 'write it like http://user:password@proxy.example.com:3128, credentials percent-encoded',
    });
  }
  const { username, password } = url;
  const credentials = username === '' && password === '' ? '' : `${username}:${password}@`;
  return url.origin.replace('://', () => `://${credentials}`);
}

/** Whether a host is listed, itself, by a domain that it is below, by a network that it is in, or by `*`. */
function isExcepted(host: string, port: string, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    const network = /^\[?([\da-f.:]+)\]?\/(\d{1,3})$/i.exec(entry);
    if (network !== null) return isInNetwork(host, network[1] ?? '', Number(network[2]));
    const [, bracketed, plain, only] = /^(?:\[(.*)\]|([^:]*|[^:]*:[^:]*:.*?))(?::(\d+))?$/.exec(entry) ?? [];
    const name = (bracketed ?? plain ?? '')
      .toLowerCase()
      .replace(/^\*?\./, '')
      .replace(/\.$/, '');
    if (name === '' || (only !== undefined && only !== port)) return false;
    return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`));
  });
}

function isInNetwork(host: string, address: string, bits: number): boolean {
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family || bits > (family === 4 ? 32 : 128)) return false;
  const network = new BlockList();
  network.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  return network.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
