import { longestPropagation } from '../../harness/calls/propagation-delay.ts';
import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { endOf, hasStatus, startOf, statusOf } from '../../harness/evidence/answer.ts';
import { type FirstReturn, firstReturns, mostBytes, textsIn } from './first-returns.ts';

/** Refused returns before it is told: one may be due to something between harness and target. */
const fewestRefused = 2;

export const check: CollectiveCheck = comparedAnswers({
  requirement: 'LOGIN-1',
  title: 'the first return of a login is not refused as one that has been consumed, or that nobody began',
  applies: ({ role }) => role === 'consumes-login',
  dedupeKey: ({ id, request: { method, body } }) =>
    method === 'POST' && (body?.bytes ?? mostBytes) < mostBytes ? id : undefined,
  look: (mine, { exchanges }) => {
    const first = firstReturns(
      mine,
      exchanges.filter((one) => !mine.includes(one) && hasStatus(one, 200)),
    );
    if (first.length === 0) return 'no return was sent whose login was initiated for it alone';
    const accepted = first.filter(({ tries: [one] }) => hasStatus(one, 200));
    const usual = new Set(accepted.flatMap(({ tries: [one] }) => [...textsIn(one.request.body)]));
    // A return that a check has made up may hold one of the values that were issued.
    const isMadeUp = ({ tries: [one], issued }: FirstReturn): boolean =>
      [...textsIn(one.request.body)].some((text) => !issued.has(text) && !usual.has(text));
    // Logins stay open for that long, and beside as many others. Every part of a target must know a login by the last try.
    const refused = first.filter((sent) => {
      const { tries, waitedMs, others } = sent;
      const [one, ...again] = tries;
      return (
        tries.every((each) => hasStatus(each, 409) || (hasStatus(each, 404) && !isMadeUp(sent))) &&
        again.every((each) => startOf(each) >= endOf(one)) &&
        accepted.some((each) => each.waitedMs >= waitedMs && each.between >= Math.max(1, others))
      );
    });
    const isKnown = ({ tries, waitedMs }: FirstReturn): boolean =>
      tries.some((each) => waitedMs + startOf(each) - startOf(tries[0]) >= longestPropagation);
    if (refused.length < fewestRefused || !refused.some(isKnown)) return [];
    return refused
      .toSorted((a, b) => Number(isKnown(b)) - Number(isKnown(a)))
      .map(({ tries: [exchange] }) => ({
        exchange,
        headline: `The first return of a hosted login is refused as if ${hasStatus(exchange, 409) ? 'it had been consumed' : 'nobody had begun it'}`,
        actual: `${statusOf(exchange)} to ${refused.length} returns, each sent by one call alone`,
      }));
  },
  statement: 'A return is refused that no other call has sent',
  expected: '200, as to other first returns',
  fix: 'Carry out each return once, and answer it with 200. Look for a component that sends it twice and passes on the second answer, such as a gateway that retries a POST that takes long (HAProxy: `http-request disable-l7-retry if METH_POST`; nginx: no `non_idempotent` in `proxy_next_upstream`; Envoy: no `retry_on` here), or for an index or a cache that takes one login for another.',
  passes: 'no first return was refused for good',
});
