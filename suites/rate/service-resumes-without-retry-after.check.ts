import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, notApplicable, pass, violated } from '../../harness/checks/outcomes.ts';
import { hasStatus, statusOf } from '../../harness/evidence/answer.ts';

/** Milliseconds in which a paced client gets nothing but 429; limits per minute end within them. */
const longestThrottling = 60_000;

const slower = '--rate <fewer requests per second>';

export const check: CollectiveCheck = {
  kind: 'collective',
  requirement: 'RATE-2',
  title: 'the service resumes for a paced client that ignores Retry-After',
  applies: () => true,
  dedupeKey: (exchange) => {
    const status = statusOf(exchange);
    return status === undefined
      ? undefined
      : `${exchange.operation} ${status === 429 ? 'throttled' : 'served'}`;
  },
  evaluate: ({ operation: { id }, exchanges }) => {
    const throttled = exchanges.filter((exchange) => hasStatus(exchange, 429));
    const served = exchanges.filter((exchange) => !hasStatus(exchange, 429));
    const last = throttled.findLast((exchange) => exchange.operation === id);
    if (last === undefined) return notApplicable('the target did not throttle here');
    if (served.some((exchange) => exchange.operation === id && exchange.startedAt > last.startedAt))
      return pass('served again after it was throttled');
    const lastServed = served.at(-1)?.startedAt ?? '';
    const lastThrottled = throttled.at(-1)?.startedAt ?? '';
    if (lastServed > lastThrottled)
      return inconclusive('service resumed, but this operation was not called again', slower);
    const from = [lastServed, throttled[0]?.startedAt ?? ''].sort().at(-1) ?? '';
    const silence = Date.parse(lastThrottled) - Date.parse(from);
    if (silence < longestThrottling)
      return inconclusive(`throttled for the last ${Math.round(silence / 1000)} s of the run`, slower);
    return violated({
      statement: 'The service stayed throttled for a client that slowed down',
      expected: `a response other than 429 within ${longestThrottling / 1000} s`,
      actual: '429 for as long as it was called',
      exchange: last,
    });
  },
};
