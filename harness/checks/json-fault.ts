import { describeBody, headerOf, isJsonMediaType, mayBeAnotherRoute } from '../evidence/answer.ts';
import type { Exchange } from '../model/exchange.ts';

/** What is wrong with an answer that ought to be JSON; undefined where nothing is. */
export function jsonFault(exchange: Exchange): string | undefined {
  const { response, failure } = exchange;
  if (response === undefined) return 'no answer';
  if (failure?.kind === 'malformed-response') return `a body that cannot be read: ${failure.message}`;
  const { body } = response;
  if (body.json === 'empty' || body.json === 'malformed') return describeBody(body);
  const contentType = headerOf(exchange, 'content-type');
  if (contentType === undefined) return 'JSON without a media type';
  if (!isJsonMediaType(contentType))
    return `JSON under the media type ${contentType.split(';', 1)[0]?.trim()}`;
  return undefined;
}

/** Whether a judge of bodies can say anything of an answer: it is the operation's, and came whole, readable or not. */
export function hasTestableBody(exchange: Exchange): boolean {
  const { response, failure } = exchange;
  if (mayBeAnotherRoute(exchange)) return false;
  return response !== undefined && (failure === undefined || failure.kind === 'malformed-response');
}

/** What is wrong with an error answer's body, which must be a JSON object; undefined where nothing is, or it cannot be judged. */
export function errorBodyFault(exchange: Exchange): string | undefined {
  const { response } = exchange;
  if (response === undefined || response.status < 400 || !hasTestableBody(exchange)) return undefined;
  return jsonFault(exchange) ?? (response.body.json === 'object' ? undefined : describeBody(response.body));
}
