import { baseUrlParts } from '../base-url-parts.ts';
import { isSentAs } from '../evidence/sent-values.ts';
import { spelledName } from '../http/exchange.ts';
import type { Exchange, WireForm } from '../model/exchange.ts';
import { usualNames } from '../requests/riders.ts';

/** Header values that do not matter to a person who repeats the request. */
const usual: ReadonlyMap<string, RegExp> = new Map([
  ['user-agent', /^commerce-conformance\//],
  ['x-request-id', /^/],
  ['traceparent', /^/],
  ['accept', /^application\/json$/],
]);
/** Headers that curl adds by itself. */
const addedByCurl = ['accept', 'user-agent'];

/** Texts of a request with the shell expression that stands for each. */
export type ShellExpressions = ReadonlyMap<string, string>;

/** The good keys, as the variables that `init` suggests. */
export const keyVariables: ShellExpressions = new Map([
  ['<scoped key>', '"$COMMERCE_KEY"'],
  ['<unscoped key>', '"$COMMERCE_KEY_UNSCOPED"'],
]);

/** A shell line that sends the request again, over connections made by `flags`. */
export function curlLine(exchange: Exchange, baseUrl: string, flags: readonly string[] = []): string {
  return requestLine(exchange, baseUrl, ['curl', '-i'], flags);
}

/** What the shell line cannot repeat; undefined if it repeats everything. */
export function connectionNote(exchange: Exchange): string | undefined {
  if (exchange.failure?.kind === 'abandoned') return 'the client left before the answer: press Ctrl-C';
  if (isSentAs(exchange, 'body in two packets')) return 'curl sends the body at once, which may not show it';
  if (isSentAs(exchange, 'head in two packets')) return 'curl sends the head at once, which may not show it';
  return exchange.request.connection === 'reused'
    ? 'one call alone, on a fresh connection, may not show it'
    : undefined;
}

/** A shell line that passes the request to a command that takes curl's arguments. */
export function requestLine(
  exchange: Exchange,
  baseUrl: string,
  command: readonly string[],
  flags: readonly string[],
  expressions: ShellExpressions = keyVariables,
): string {
  const { request } = exchange;
  const spelling: readonly WireForm[] = [
    ...(isSentAs(exchange, 'names in capitals') ? (['names in capitals'] as const) : []),
    ...(exchange.neutral?.includes(usualNames) === true ? (['names as usual'] as const) : []),
  ];
  const word = (text: string): string => shellWord(text, expressions);
  const parts = [...command, '--path-as-is', '-g', ...flags];
  if (isSentAs(exchange, 'offer of HTTP/2')) parts.push('--http2');
  if (isSentAs(exchange, 'old HTTP')) parts.push('--http1.0');
  if (request.method !== 'GET' || request.body !== undefined) parts.push('-X', quote(request.method));
  parts.push(word(baseUrlParts(baseUrl).origin + request.path));
  // curl reads the text after a hash sign as a fragment.
  const isWhole = isSentAs(exchange, 'whole address');
  if (isWhole || request.path.includes('#'))
    parts.push('--request-target', word((isWhole ? baseUrlParts(baseUrl).origin : '') + request.path));
  if (isSentAs(exchange, 'host in capitals'))
    parts.push('-H', quote(`Host: ${new URL(baseUrl).host.toUpperCase()}`));
  if (isSentAs(exchange, 'expectation')) parts.push('-H', quote('Expect: 100-continue'));
  for (const [lower, recorded] of request.headers) {
    if (usual.get(lower)?.test(recorded) === true) continue;
    const name = spelledName(lower, spelling);
    const known = recorded.replace(/ ?<empty key>$/, '');
    const value = isSentAs(exchange, 'blanks behind values') ? `${known}  ` : known;
    // curl drops a header without a value unless it ends in a semicolon.
    parts.push('-H', value === '' ? quote(`${name};`) : word(`${name}: ${value}`));
  }
  for (const name of addedByCurl) {
    if (request.headers.length > 0 && !request.headers.some(([sent]) => sent === name))
      parts.push('-H', quote(`${name}:`));
  }
  if (request.body !== undefined && request.body.bytes > 0) {
    const { encoding, text } = request.body;
    // Reports show these characters escaped, so that they could not be copied out of them.
    if (encoding === 'base64' || /[\p{C}\p{Zl}\p{Zp}]/u.test(text)) {
      const bytes = encoding === 'base64' ? text : Buffer.from(text).toString('base64');
      parts.unshift('printf', '%s', quote(bytes), '|', 'base64', '-d', '|');
      parts.push('--data-binary', '@-');
    } else parts.push('--data-raw', word(text));
    if (!request.headers.some(([name]) => name === 'content-type')) parts.push('-H', quote('content-type:'));
  }
  return parts.join(' ');
}

/** One word of a POSIX shell. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** One word of a POSIX shell, in which some texts become expressions. */
function shellWord(text: string, expressions: ShellExpressions): string {
  const texts = [...expressions.keys()].sort((a, b) => b.length - a.length);
  const patterns = texts.map(
    (one) => `${one.replaceAll(/[^\w ]/g, '\\$&')}${/\w$/.test(one) ? '(?![\\w-])' : ''}`,
  );
  const parts = text.split(new RegExp(`(${patterns.join('|')})`));
  const words = parts.flatMap((part, at) => (at % 2 === 1 ? (expressions.get(part) ?? []) : wordsOf(part)));
  return words.length === 0 ? quote('') : words.join('');
}

/** A few characters, plain or percent-encoded, from 64 times in a row on. */
const longRun = /((?:%[0-9a-f]{2}){1,4}|[\w .:,"[\]{}-]{1,6}?)\1{63,}/gi;

/** A text with its long runs of a few characters generated, so that the line stays short. */
function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  let end = 0;
  for (const { 0: run, 1: unit = '', index } of text.matchAll(longRun)) {
    if (index > end) words.push(quote(text.slice(end, index)));
    words.push(`"$(printf '%0${run.length / unit.length}d' 0 | sed 's/0/${unit}/g')"`);
    end = index + run.length;
  }
  return end < text.length ? [...words, quote(text.slice(end))] : words;
}

/** The options that decide how connections to a target are made, in the order of the flags by which curl has them. */
const connectionFlags: ReadonlyArray<readonly [option: string, flag: string]> = [
  ['unixSocket', '--unix-socket'],
  ['ca', '--cacert'],
  ['clientCert', '--cert'],
  ['clientKey', '--key'],
  ['insecure', '--insecure'],
  ['http2', '--http2'],
];

/**
 * Flags with which curl makes the same connections as a run with these options, in a form that a command line may show: file
 * names, never their contents. A proxy is named by its environment variable, because its URL may hold credentials.
 */
export function curlFlags(options: Readonly<Record<string, unknown>>, proxyVariable = ''): readonly string[] {
  // Without a tunnel the proxy would see the requests to http: targets, and might rewrite them.
  const isProxy = /^[A-Za-z_]\w*$/.test(proxyVariable);
  const proxy = isProxy ? ['--proxytunnel', '--proxy', `"$${proxyVariable}"`] : [];
  const flags = connectionFlags.map(([option, flag]) => {
    const value = options[option];
    if (typeof value === 'string') return [flag, quote(value)];
    return value === true ? [flag] : [];
  });
  return [...flags.slice(0, 1), proxy, ...flags.slice(1)].flat();
}
