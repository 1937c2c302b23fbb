import { sentBody } from '../../harness/checks/vary-body.ts';
import { describeAnswer, isBlockedInFront } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

/** The value of all random bodies and of smaller ones in the row of a call. */
export const randomBody = 'random';

const longestShown = 120;

/** One violation for all bodies that get the same response, shown by the smallest body that is known. */
export function bodyViolation(
  [first, ...others]: readonly [Exchange, ...Exchange[]],
  reductions: readonly Exchange[],
): Violation {
  const smaller = [first, ...others]
    .filter((exchange) => reductions.includes(exchange) && sentBody(exchange) !== undefined)
    .sort((a, b) => sizeOf(a) - sizeOf(b));
  const smallest = smaller[0] ?? first;
  const found = first.row?.['body'] === randomBody ? '' : `${first.label}; `;
  const size = smallest === first ? 'such as' : 'the smallest known is';
  return {
    statement: 'A body got an unexpected response',
    expected: '200, 400, 404 or 409',
    actual: describeAnswer(smallest),
    ...(isBlockedInFront(smallest) ? { clause: 'blocked-in-front' } : {}),
    detail: `${found}${size} ${shown(smallest)}`,
    exchange: smallest,
  };
}

function sizeOf({ request }: Exchange): number {
  return request.body?.bytes ?? 0;
}

/** A body within a line, with escapes for what is not ASCII. */
function shown({ request }: Exchange): string {
  const { text = '', bytes = 0, encoding } = request.body ?? {};
  const escaped = text
    .slice(0, longestShown)
    .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const type = request.headers.find(([name]) => name === 'content-type')?.[1] ?? 'no content type';
  const under = type === 'application/json' ? '' : ` under ${type}`;
  const rest = text.length > longestShown ? `… (${bytes} bytes)` : '';
  return `${encoding === 'base64' ? `base64 ${escaped}` : escaped}${rest}${under}`;
}
