import { describeBody, headerOf, isJsonMediaType } from '../recording/answer.ts';
import type { Exchange } from '../recording/exchange.ts';

/** What is wrong with an answer that ought to be JSON; undefined where nothing is. */
export function jsonFault(exchange: Exchange): string | undefined {
  const { response } = exchange;
  if (response === undefined) return 'no answer';
  const { body } = response;
  if (body.json === 'empty' || body.json === 'malformed') return describeBody(body);
  const contentType = headerOf(exchange, 'content-type');
  if (contentType === undefined) return 'JSON without a media type';
  if (!isJsonMediaType(contentType))
    return `JSON under the media type ${contentType.split(';', 1)[0]?.trim()}`;
  return undefined;
}
