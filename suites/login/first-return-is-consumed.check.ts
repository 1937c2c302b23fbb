import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { hasStatus } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { refusedFirstUses, textsIn } from '../surface/first-uses.ts';

/** Bytes of a longer body, which no plain call has. */
const mostBytes = 20_000;
/** Refused returns before it is told: one may be due to something between harness and target. */
const fewestRefused = 2;

export const check: CollectiveCheck = comparedAnswers({
  requirement: 'LOGIN-1',
  title: 'the first return of a login is not refused as one that has been consumed',
  applies: ({ role }) => role === 'consumes-login',
  dedupeKey: ({ id, request: { method, body } }) =>
    method === 'POST' && (body?.bytes ?? mostBytes) < mostBytes ? id : undefined,
  look: (mine, { exchanges }) => {
    const refused = refusedFirstUses(
      {
        uses: mine,
        issuing: exchanges.filter((one) => !mine.includes(one) && hasStatus(one, 200)),
        textsOf: ({ request }) => textsIn(request.body),
        isTelling: ([first, ...again]) =>
          isPlain(first) && again.every((one) => callOf(one) === callOf(first)),
        // Equal logins may share one.
        mayReplace: (one, other) =>
          one.operation === other.operation && one.request.body?.text === other.request.body?.text,
      },
      409,
    );
    if (refused === undefined) return 'no return was sent whose login was initiated for it alone';
    if (refused.length < fewestRefused) return [];
    return refused.map(({ tries: [exchange] }) => ({
      exchange,
      headline: 'The first return of a hosted login is refused as if it had been consumed',
      actual: `409 to ${refused.length} returns, each sent by one call alone and again for two seconds`,
    }));
  },
  statement: 'A return is refused that no other call has sent',
  expected: '200, as to other first returns',
  fix: 'Carry out each return once, and answer it with 200. Look for a component that sends it twice and passes on the second answer, such as a gateway that retries a POST that takes long (HAProxy: `http-request disable-l7-retry if METH_POST`; nginx: no `non_idempotent` in `proxy_next_upstream`; Envoy: no `retry_on` here), or for an index or a cache that takes one login for another.',
  passes: 'no first return was refused for good',
});

/** Whether a call differs in nothing that may have led to a conflict. */
function isPlain({ row, request }: Exchange): boolean {
  const isKeyed = request.headers.some(([name]) => name === 'idempotency-key');
  return row === undefined && request.credential.kind === 'scoped' && !isKeyed;
}

/** Equal for the tries of one call. */
function callOf({ case: from, attempt, step = '', label, request }: Exchange): string {
  return JSON.stringify([from, attempt, step, label, request.body?.text]);
}
