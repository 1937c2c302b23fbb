import { UsageError } from '../usage-error.ts';
import { type Objection, objectionTo, type TextRule } from './target-problem.ts';

const example = 'write it like https://staging.example.com/gateway';
const pathsFollow = 'the paths of the operations are appended to it';

const rules: readonly TextRule[] = [
  { refuses: /^\s*$/, what: 'the base URL is empty', remedy: example },
  {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    refuses: /[\u0000-\u0020\u007f]/,
    what: 'the base URL contains white space or a control character',
    remedy: 'remove it',
  },
];

const hostRules: readonly TextRule[] = [
  {
    refuses: /@/,
    what: 'the base URL contains credentials',
    why: 'reports would show them, and the key belongs in the Authorization header',
    remedy: 'remove the part before @; the keys belong under keys (or --key)',
  },
  { refuses: /^(?::|$)/, what: 'the base URL has no host', remedy: example },
];

const pathRules: readonly TextRule[] = [
  {
    refuses: /#/,
    what: 'the base URL has a fragment',
    why: pathsFollow,
    remedy: 'remove everything from # on',
  },
  {
    refuses: /\?/,
    what: 'the base URL has a query',
    why: pathsFollow,
    remedy: 'remove everything from ? on',
  },
  {
    refuses: /[^\w\-.~!$&'()*+,;=:@/%]|%(?![0-9A-Fa-f]{2})/,
    what: 'the path of the base URL contains characters that a URL cannot hold',
    remedy: 'percent-encode them, and fill in the values in braces',
  },
  {
    refuses: /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i,
    what: 'the path of the base URL contains . or .. segments',
    why: 'clients and proxies resolve them',
    remedy: 'write the resolved path',
  },
];

/** Reads a base URL: a normalised origin, then the path prefix exactly as written, without trailing slashes. */
export function parseBaseUrl(text: string, where: string): string {
  const result = examineBaseUrl(text);
  if (typeof result === 'string') return result;
  throw new UsageError({ ...result, where });
}

/** The base URL, or why it is refused; never repeats credentials. */
export function examineBaseUrl(text: string): string | Objection {
  const refused = objectionTo(text, rules);
  if (refused !== undefined) return refused;
  const parts = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#\\]*)(.*)$/.exec(text);
  if (parts === null) return missingScheme(text);
  const [, scheme = '', authority = '', path = ''] = parts;
  if (!/^https?$/i.test(scheme))
    return { what: `the base URL has the scheme ${scheme}`, remedy: 'use http:// or https://' };
  const objection = objectionTo(authority, hostRules) ?? objectionTo(path, pathRules);
  if (objection !== undefined) return objection;
  const origin = URL.parse(`${scheme}://${authority}`)?.origin;
  if (origin === undefined) return { what: 'the host or port of the base URL is not valid', remedy: example };
  const base = origin + path.replace(/\/+$/, '');
  if (!base.endsWith('/api/v1')) return base;
  return {
    what: 'the base URL ends in /api/v1',
    why: 'the paths of the operations start with it, so it would be sent twice',
    remedy: `leave it out: ${base.slice(0, -'/api/v1'.length)}`,
  };
}

function missingScheme(text: string): Objection {
  const host = text.replace(/^(https?:)?[/\\]*/i, '').replace(/[?#].*$|(\/api\/v1)?\/*$/, '');
  // Userinfo is not repeated, wherever it stands.
  const shown = host.includes('@') || host === '' ? 'host' : host;
  const local = /^(localhost|127\.|\[::1\])/i.test(host) || /^http:/i.test(text);
  return { what: 'the base URL has no scheme', remedy: `write ${local ? 'http' : 'https'}://${shown}` };
}
