import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, notApplicable, notTested, pass } from '../../harness/checks/outcomes.ts';
import { describeAnswer, hasStatus } from '../../harness/evidence/answer.ts';
import { sessionIdOf } from './session-evidence.ts';
import { apart, joined, obstacleOf, walkCheck } from './walk-check.ts';

// Bodies differ, as sessions with one body may be one, or belong together. The first create shows a body to vary.
const two =
  'create A, cancel A, create B with another body in one trace, read B, create C with a much larger body in one trace, read C, read B, cancel B, read B, read C';
// Bodies that have each made a session of its own before.
const atOnce = 'create D, create E with another body at the same time';

// A store that holds few sessions loses the first of many.
const eleven =
  'create A, read A, create B with another body, create C with a much larger body, create D with a third body, create E with a fourth body, create F with a fifth body, create G with a sixth body, create H with another body, create I with a much larger body, create J with a third body, create K with a fourth body, read A, cancel A';

// Creates that overlap may share an id, or the answer to the newest of them; each body has made a session alone before.
const crowds =
  'create A, create B with another body at the same time, create C with a much larger body at the same time, create D with a third body at the same time, create E with a fourth body at the same time, create F with a fifth body at the same time, create G with a sixth body, create H with another body at the same time, create I with a much larger body at the same time, create J with a third body at the same time, create K with a fourth body at the same time, create L with a fifth body at the same time';

// The contract declares idempotency neither way, so equal creates may return one session, or the second session may
// replace the first. Only creates with different bodies must make two sessions.
export const check: ActiveCheck = walkCheck({
  requirement: 'SESSION-5',
  title: 'Two creates make two sessions, and cancelling one leaves the other',
  roles: ['creates-session'],
  walks: [
    joined(`${two}, cancel C, ${atOnce}`),
    apart(
      `${two}, wait 2 s, read C, cancel C, ${atOnce}, create F at the same time, create G with another body at the same time, create H with a much larger body at the same time
      create A, read A, create B with other links, cancel B, read A
      ${eleven}
      ${crowds}`,
    ),
  ],
  reports: ({ rule }) => ['others', 'one id', 'creates at once'].includes(rule),
  isCertain: ({ rule, statement }) => rule === 'others' && statement.startsWith('Creating'),
  company: 'another is created',
  evaluate: (session) => {
    const [first, second] = ['B', 'C'].map((letter) => {
      const reads = session.called('read', letter);
      // A read that came too early is repeated.
      return reads.find((one) => hasStatus(one, 200)) ?? reads[0];
    });
    const created = session.by('creates-session').filter((one) => one.role !== 'setup');
    if (!hasStatus(first, 200)) return obstacleOf(session);
    if (second === undefined) {
      const last = created.findLast((one) => session.besides(one).length === 0);
      if (!hasStatus(last, 409))
        return notTested(`a second create was answered ${last ? describeAnswer(last) : 'nothing'}`);
      const reason = 'a second create is answered 409 while the first session is open, which conforms';
      const bodies = new Set(created.map(({ request }) => request.body?.text));
      return bodies.size > 1 ? notApplicable(reason) : inconclusive(reason, session.remedy);
    }
    if (sessionIdOf(second) === sessionIdOf(first))
      return inconclusive('two equal creates returned one session, which conforms', session.remedy);
    const [cancelled, left] = [session.called('cancel', 'B').at(-1), session.called('cancel', 'C').at(-1)];
    return [second, cancelled, left].every((one) => hasStatus(one, 200))
      ? pass('two sessions with different ids, and cancelling one left the other')
      : obstacleOf(session);
  },
});
