import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import { forAWhile } from '../../harness/results/causes/cause-fixes.ts';
import { refusedForAWhile } from '../surface/refused-for-a-while.ts';

export const check: CollectiveCheck = comparedAnswers({
  requirement: 'AUTH-4',
  title:
    'no valid call of the run is refused with 401 while its key is valid, regardless of the check that sent it',
  // A login may answer 401 to a return that another case has used up.
  applies: ({ auth, role }) => auth === 'api-key' && role !== 'consumes-login',
  dedupeKey: (exchange) => {
    const { role, row, request } = exchange;
    const { kind } = request.credential;
    const status = statusOf(exchange);
    // The valid calls with the key without the scope are probes.
    const isPlain = role === 'probe' && kind === 'unscoped' && row === undefined;
    const isValid = role === 'control' || role === 'setup' || isPlain;
    if (!isValid || (kind !== 'scoped' && kind !== 'unscoped')) return undefined;
    return status === 200 || status === 401 ? `${exchange.operation} ${kind} ${status}` : undefined;
  },
  look: (mine, { exchanges }) =>
    mine.length === 0
      ? 'no valid call with a key was answered 200 or 401'
      : // Without a later call that is accepted, the key may have expired, or been revoked.
        refusedForAWhile(mine, exchanges),
  statement: 'A valid key was refused for a while',
  expected: 'not 401, as before and after',
  actual: '401 for a while',
  deviation: forAWhile,
  company: 'at some moments',
  clause: 'for-a-while',
  fix: 'Find out why the service refuses keys that it knows. A lockout after failed attempts must not refuse valid keys from the same address: remove it, or limit the attempts with 429. Otherwise look for instances that do not share the keys, caches that keep a refusal, and a key table that is empty while it reloads: swap in the new one once it is complete.',
  passes: 'no valid call was refused with 401 while its key was valid',
});
