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

/** The status of a response whose body can be tested: the operation sent it, and it arrived whole, readable or not. */
export function testableStatus(exchange: Exchange): number | undefined {
  const { response, failure } = exchange;
  const hasArrived = failure === undefined || failure.kind === 'malformed-response';
  return hasArrived && !mayBeAnotherRoute(exchange) ? response?.status : undefined;
}

/** The defect of the body of an error, which must be a JSON object; undefined for none. */
export function errorBodyFault(exchange: Exchange): string | undefined {
  const body = exchange.response?.body;
  return (
    jsonFault(exchange) ?? (body === undefined || body.json === 'object' ? undefined : describeBody(body))
  );
}
