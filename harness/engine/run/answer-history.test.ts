import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../model/exchange.ts';
import { AnswerHistory } from './answer-history.ts';
import { numbered } from './cases-for-tests.ts';

describe('AnswerHistory', () => {
  it('says after how many calls the valid call failed for good', () => {
    expect(failedAfter(200, 400, 200, 400, 400, 503, 503, 503)).toBe(
      'after calls of the operation were answered, 2 with 200, 3 with 400',
    );
  });

  it('says nothing where the valid call is served again, never was, or failed too seldom', () => {
    expect(failedAfter(200, 503, 503, 503, 200)).toBeUndefined();
    expect(failedAfter(400, 503, 503, 503)).toBeUndefined();
    expect(failedAfter(200, 503, 503)).toBeUndefined();
  });
});

function failedAfter(...statuses: readonly number[]): string | undefined {
  const history = new AnswerHistory();
  const exchanges = statuses.map(
    (status, at): Exchange => ({
      ...numbered(String(at), { status, role: status === 400 ? 'probe' : 'control' }),
      startedAt: new Date(at).toISOString(),
    }),
  );
  for (const exchange of exchanges.reverse()) history.observe(exchange);
  return history.lastingFailure();
}
