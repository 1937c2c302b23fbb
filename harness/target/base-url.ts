import { UsageError } from '../usage-error.ts';
import type { Objection } from './target-problem.ts';

/** Reads a base URL: a normalised origin, then the path prefix exactly as written, without trailing slashes. */
export function parseBaseUrl(text: string, where: string): string {
  const result = examineBaseUrl(text);
  if (typeof result === 'string') return result;
  throw new UsageError({ ...result, where });
}

/** The base URL, or why it is refused; never repeats credentials. */
export function examineBaseUrl(text: string): string | Objection {
  if (text.trim() === '') return { what: 'the base URL is empty', remedy: EXAMPLE };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u0020\u007f]/.test(text)) {
    return { what: 'the base URL contains white space or a control character', remedy: 'remove it' };
  }
  const parts = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#\\]*)(.*)$/.exec(text);
  if (parts === null) return missingScheme(text);
  const [, scheme = '', authority = '', rest = ''] = parts;
  if (!/^https?$/i.test(scheme)) {
    return { what: `the base URL has the scheme ${scheme}`, remedy: 'use http:// or https://' };
  }
  if (authority.includes('@')) {
    return {
      what: 'the base URL contains credentials',
      why: 'they would stand in reports, and the target takes its key in the Authorization header',
      remedy: 'remove what stands before @; the keys belong under keys (or --key)',
    };
  }
  if (authority === '' || authority.startsWith(':'))
    return { what: 'the base URL has no host', remedy: EXAMPLE };
  return examineRest(`${scheme}://${authority}`, rest);
}

const EXAMPLE = 'write it like https://staging.example.com/gateway';

function missingScheme(text: string): Objection {
  const host = text.replace(/^(https?:)?[/\\]*/i, '').replace(/[?#].*$|(\/api\/v1)?\/*$/, '');
  // Userinfo is not repeated, wherever it stands.
  const shown = host.includes('@') || host === '' ? 'host' : host;
  const local = /^(localhost|127\.|\[::1\])/i.test(host) || /^http:/i.test(text);
  return {
    what: 'the base URL has no scheme',
    remedy: `write ${local ? 'http' : 'https'}://${shown}`,
  };
}

function examineRest(start: string, rest: string): string | Objection {
  for (const [mark, name] of [
    ['#', 'fragment'],
    ['?', 'query'],
  ] as const) {
    if (!rest.includes(mark)) continue;
    return {
      what: `the base URL has a ${name}`,
      why: 'the paths of the operations are appended to it',
      remedy: `remove everything from ${mark} on`,
    };
  }
  if (!URL.canParse(start)) {
    return { what: 'the host or port of the base URL is not valid', remedy: EXAMPLE };
  }
  const prefix = rest.replace(/\/+$/, '');
  if (!/^(?:[\w\-.~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$/.test(prefix)) {
    return {
      what: 'the path of the base URL contains characters that a URL cannot hold',
      remedy: 'percent-encode them, and fill in what stands in braces',
    };
  }
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(prefix)) {
    return {
      what: 'the path of the base URL contains . or .. segments',
      why: 'they are resolved on the way',
      remedy: 'write the resolved path',
    };
  }
  const base = `${new URL(start).origin}${prefix}`;
  if (prefix.endsWith('/api/v1')) {
    return {
      what: 'the base URL ends in /api/v1',
      why: 'the paths of the operations start with it, so it would be sent twice',
      remedy: `leave it out: ${base.slice(0, -'/api/v1'.length)}`,
    };
  }
  return base;
}
