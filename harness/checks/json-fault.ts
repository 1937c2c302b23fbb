import { describeBody, headerOf, isJsonMediaType, mayBeAnotherRoute } from '../evidence/answer.ts';
import type { Exchange } from '../model/exchange.ts';

/** The defect of a response that must be JSON; undefined for none. */
export function jsonFault(exchange: Exchange): string | undefined {
  const { response, failure } = exchange;
  if (response === undefined) return 'no answer';
  if (failure?.kind === 'malformed-response') return `a body that cannot be read: ${failure.message}`;
  const { body } = response;
  if (body.json === 'empty' || body.json === 'malformed') return describeBody(body);
  if (body.encoding === 'utf-8' && body.text.startsWith('\ufeff')) return 'JSON after a byte order mark';
  const contentType = headerOf(exchange, 'content-type');
  if (contentType === undefined) return 'JSON without a media type';
  if (!isJsonMediaType(contentType))
    return `JSON under the media type ${contentType.split(';', 1)[0]?.trim()}`;
  return undefined;
}

/** Whether a body can be tested: the operation sent it, and it arrived whole, readable or not. */
export function hasTestableBody(exchange: Exchange): boolean {
  const { response, failure } = exchange;
  if (mayBeAnotherRoute(exchange)) return false;
  return response !== undefined && (failure === undefined || failure.kind === 'malformed-response');
}

/** The defect of an error body, which must be a JSON object; undefined for none, or if the body cannot be tested. */
export function errorBodyFault(exchange: Exchange): string | undefined {
  const { response } = exchange;
  if (response === undefined || response.status < 400 || !hasTestableBody(exchange)) return undefined;
  return jsonFault(exchange) ?? (response.body.json === 'object' ? undefined : describeBody(response.body));
}
