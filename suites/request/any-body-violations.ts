import { sentBody } from '../../harness/checks/vary-body.ts';
import { describeAnswer, isBlockedInFront } from '../../harness/evidence/answer.ts';
import { escapedUnit } from '../../harness/fuzzing/json-text.ts';
import { groupBy } from '../../harness/group-by.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { randomBody } from './body-input.ts';

/** Findings that one case reports at most. */
const mostFindings = 5;
const longestShown = 120;

/** One violation for all bodies that get the same response, shown by the smallest body that is known. */
export function bodyViolations(wrong: readonly Exchange[]): readonly Violation[] {
  return [...groupBy(wrong, describeAnswer)].slice(0, mostFindings).flatMap(([answer, alike]) => {
    const reduced = alike.filter(({ role }) => role === 'reduction');
    const shown = reduced.length > 0 ? reduced : alike;
    const [exchange] = shown.toSorted((a, b) => sizeOf(a) - sizeOf(b));
    const found = reduced.length > 0 ? alike[0] : exchange;
    if (exchange === undefined || found === undefined) return [];
    const label = found.row?.['body'] === randomBody ? '' : `${found.label}; `;
    const size = reduced.length > 0 ? 'the smallest known is' : 'such as';
    return {
      statement: 'A body got an unexpected response',
      expected: '200, 400, 404 or 409',
      actual: answer,
      ...(isBlockedInFront(exchange) ? { clause: 'blocked-in-front' } : {}),
      detail: `${label}${size} ${show(exchange)}`,
      exchange,
    };
  });
}

/** What was recorded otherwise than it was sent counts as large. */
function sizeOf(exchange: Exchange): number {
  return sentBody(exchange)?.bytes ?? Number.POSITIVE_INFINITY;
}

/** A body within a line, with escapes for what is not ASCII. */
function show({ request }: Exchange): string {
  const { text = '', bytes = 0, encoding } = request.body ?? {};
  const escaped = text.slice(0, longestShown).replace(/[^\x20-\x7e]/g, escapedUnit);
  const type = request.headers.find(([name]) => name === 'content-type')?.[1] ?? 'no content type';
  const under = type === 'application/json' ? '' : ` under ${type}`;
  const rest = text.length > longestShown ? `… (${bytes} bytes)` : '';
  return `${encoding === 'base64' ? `base64 ${escaped}` : escaped}${rest}${under}`;
}
