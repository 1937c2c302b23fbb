import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { baseUrlParts } from '../base-url-parts.ts';
import type { Peers } from '../model/report.ts';
import { tried } from '../tried.ts';

/** Whether a base URL names the machine itself, so that nobody else can reach the same service. */
export function isLoopbackUrl(baseUrl: string): boolean {
  const { hostname } = baseUrlParts(baseUrl);
  return (
    // Names in the hosts files of common systems, and those that always mean the machine itself.
    /^(?:(?:.+\.)?localhost|(?:ip6-)?(?:localhost[46]?|loopback)(?:\.localdomain[46]?)?)\.?$/.test(
      hostname,
    ) ||
    /^127(?:\.\d+){3}$|^0\.0\.0\.0$/.test(hostname) ||
    (hostname.startsWith('[') && isLoopbackIpv6(hostname.slice(1, -1)))
  );
}

/** The ways in which IPv6 addresses hold IPv4 addresses: compatible, mapped, translated, behind NAT64, and 6to4. */
const holdsIpv4: ReadonlyArray<readonly [start: RegExp, at: number]> = [
  [/^(?:0:){6}/, 6],
  [/^(?:0:){5}ffff:/, 6],
  [/^(?:0:){4}ffff:0:/, 6],
  [/^64:ff9b:(?:0|1):/, 6],
  [/^2002:/, 1],
];

function isLoopbackIpv6(address: string): boolean {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const groups = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
  const written = groups.join(':');
  if (written === '0:0:0:0:0:0:0:1') return true;
  return holdsIpv4.some(([start, at]) => {
    const [high = '', low = ''] = groups.slice(at);
    return start.test(written) && (/^7f..$/.test(high) || (high === '0' && low === '0'));
  });
}

/** How a run reaches its target. */
export interface Reached {
  readonly baseUrl: string;
  readonly embedded: boolean;
  readonly insecure: boolean;
  readonly unixSocket: string | undefined;
  /** Origin of the proxy. */
  readonly proxy: string | undefined;
  /** Origin of the proxy that the user names. */
  readonly allowProxy: unknown;
  /** Whether a development certificate is requested. */
  readonly development: boolean;
}

/** Reasons why the tested service may not be the one that the base URL names; a certificate requires that there are none. */
export function targetObstacles(reached: Reached): readonly string[] {
  const { baseUrl, embedded, insecure, unixSocket, proxy, allowProxy, development } = reached;
  const isLocal = isLoopbackUrl(baseUrl);
  return [
    embedded && !development && 'the target is the embedded service',
    isLocal &&
      !embedded &&
      !development &&
      'the base URL is on loopback, where nobody else can reach it (a rehearsal: --development)',
    unixSocket !== undefined && isLocal && !development && '--unix-socket connects to this machine',
    unixSocket !== undefined &&
      !isLocal &&
      '--unix-socket connects to this machine, and the base URL names another host',
    insecure && '--insecure accepts any server as the target',
    proxy !== undefined &&
      proxy !== allowProxy &&
      `the proxy ${proxy} is between the harness and the target (name it: --allow-proxy ${proxy})`,
  ].filter((obstacle) => obstacle !== false);
}

/** A service, and whom the connections of its run reached. */
export interface ReachedPeers {
  readonly baseUrl: string;
  readonly peers: Peers | undefined;
  /** Whether a proxy or a socket stood between, so that addresses are not the service's. */
  readonly isIndirect: boolean;
  /** When the run began. */
  readonly startedAt: string;
}

/** Contradictions between a base URL and the addresses and certificates that its run recorded. */
export function peerProblems({ baseUrl, peers, isIndirect, startedAt }: ReachedPeers): readonly string[] {
  const { protocol, hostname, port } = new URL(baseUrl);
  const isHttps = protocol === 'https:';
  const end = `:${port || (isHttps ? 443 : 80)}`;
  const host = hostname.replace(/^\[|\]$/g, '');
  const { addresses, certificates } = { addresses: [], certificates: [], ...peers };
  const isThere = (address: string): boolean =>
    isLoopbackUrl(baseUrl) === (tried(isLoopbackUrl, `http://${address}`) ?? false) &&
    (isIP(host) === 0 || isAt(address, host)) &&
    address.endsWith(end);
  const elsewhere = isIndirect ? [] : addresses.filter((address) => !isThere(address));
  return [
    !isIndirect && addresses.length === 0 && 'it does not record which addresses the connections reached',
    ...elsewhere.map((address) => `the base URL names ${host}, and a connection reached ${address}`),
    !isHttps &&
      !isIndirect &&
      certificates.length > 0 &&
      'the base URL is http:, and a server certificate is recorded',
    isHttps && certificates.length === 0 && 'the base URL is https:, and no server certificate is recorded',
    ...(isHttps ? certificates : []).flatMap(({ names, sha256, validUntil }) => [
      !isFor(names, host) && `the server certificate ${sha256} is not for ${host}`,
      !(Date.parse(validUntil) >= Date.parse(startedAt)) &&
        `the server certificate ${sha256} had expired before the run`,
    ]),
  ].filter((problem) => problem !== false);
}

/** Whether a server certificate with these names is one of a host. */
function isFor(names: string, host: string): boolean {
  const [, subject] = /^CN:(.*)$/.exec(names) ?? [];
  const shown = {
    subject: { CN: subject ?? '' },
    subjectaltname: subject === undefined ? names : undefined,
  };
  return checkServerIdentity(host, shown as unknown as PeerCertificate) === undefined;
}

function isAt(address: string, host: string): boolean {
  const mapped = address.replace(/^\[::ffff:([\d.]+)\]/, '$1');
  return mapped.startsWith(`${host}:`) || mapped.startsWith(`[${host}]:`);
}
