import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

/** Milliseconds of nothing but 429 for a client that paces itself; limits by the minute are over by then. */
const longestThrottling = 60_000;

const slower = '--rate <fewer requests per second>';

const check: CollectiveCheck = {
  kind: 'collective',
  requirement: 'RATE-2',
  title: 'service resumes for a client that paces itself and never reads Retry-After',
  applies: () => true,
  dedupeKey: (exchange) => {
    const status = statusOf(exchange);
    return status === undefined
      ? undefined
      : `${exchange.operation} ${status === 429 ? 'throttled' : 'served'}`;
  },
  evaluate: ({ operation: { id }, exchanges }) => {
    const throttled = exchanges.filter(isThrottled);
    const served = exchanges.filter((exchange) => !isThrottled(exchange));
    const [first] = throttled.filter((exchange) => exchange.operation === id);
    const last = throttled.findLast((exchange) => exchange.operation === id);
    if (first === undefined || last === undefined) {
      return { outcome: 'not-applicable', reason: 'the target did not throttle here' };
    }
    if (served.some((exchange) => exchange.operation === id && exchange.startedAt > last.startedAt)) {
      return pass('served again after it was throttled');
    }
    const lastServed = served.at(-1)?.startedAt ?? '';
    const lastThrottled = throttled.at(-1)?.startedAt ?? '';
    if (lastServed > lastThrottled) {
      return inconclusive('service resumed, but this operation was not called again', slower);
    }
    const from = [lastServed, throttled[0]?.startedAt ?? ''].sort().at(-1) ?? '';
    const silence = Date.parse(lastThrottled) - Date.parse(from);
    if (silence < longestThrottling) {
      return inconclusive(`throttled for the last ${Math.round(silence / 1000)} s of the run`, slower);
    }
    return violatedOr(
      [
        {
          statement: 'service resumes for a client that slows down',
          expected: `an answer other than 429 within ${longestThrottling / 1000} s`,
          actual: '429 for as long as it was asked',
          exchange: last,
        },
      ],
      () => pass(''),
    );
  },
};

export default check;

function isThrottled(exchange: Exchange): boolean {
  return statusOf(exchange) === 429;
}
