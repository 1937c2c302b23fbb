import type { Exchange } from '../model/exchange.ts';
import type { ResponseId } from '../model/report.ts';

/** Headers in which services, gateways and clouds name a request, those that a team can search for first. */
const headers: readonly string[] = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'traceparent',
  'x-trace-id',
  'x-amzn-requestid',
  'x-amz-request-id',
  'cf-ray',
];
/** Characters of an id that are kept. */
const longestId = 128;

/** The ids that a response carries and that are not those of its request, each once. */
export function responseIdsOf({ request, response }: Exchange): readonly ResponseId[] {
  const sent = new Set(request.headers.filter(([name]) => headers.includes(name)).map(([, value]) => value));
  const trace = traceIdOf([...sent]);
  const ids = new Map<string, ResponseId>();
  for (const header of headers) {
    const [, value = ''] = response?.headers.find(([name]) => name.toLowerCase() === header) ?? [];
    const text = value.trim().slice(0, longestId);
    if (text === '' || ids.has(text) || sent.has(value.trim())) continue;
    if (trace !== undefined && (text === trace || traceIdOf([text]) === trace)) continue;
    ids.set(text, { header, value: text });
  }
  return [...ids.values()];
}

/** The headers of a response in which it may name the request, whether or not the client chose the id. */
export function idHeadersOf({ response }: Exchange): readonly string[] {
  const names = response?.headers.map(([name]) => name.toLowerCase()) ?? [];
  return headers.filter((header) => names.includes(header));
}

/** The trace of the first value that is one by W3C Trace Context. */
export function traceIdOf(values: readonly string[]): string | undefined {
  return values.flatMap((value) => /^00-([0-9a-f]{32})-/.exec(value)?.[1] ?? [])[0];
}
