import type { ActiveCheck } from '../../harness/checks/check.ts';
import { notTested, pass } from '../../harness/checks/outcomes.ts';
import { isOk } from '../../harness/evidence/answer.ts';
import { apart, joined, walkCheck } from './walk-check.ts';

export const check: ActiveCheck = walkCheck({
  stage: 'last',
  requirement: 'SESSION-2',
  title: 'Creates, reads, cancels and refused cancels of several sessions get a defined status in any order',
  roles: ['creates-session', 'reads-session', 'ends-session'],
  // A quick run joins several walks.
  walks: [
    joined('create A, cancel A, cancel A, cancel A, cancel A with a key without the scope', 'ends-session'),
    apart(
      `create A, read A, cancel A, cancel A, cancel A, read A
      create A, cancel A without a key, cancel A, cancel A with an unknown key, read A, cancel A
      create A with its numbers as fractions, read A, read A, read A, cancel A with a key without the scope, cancel A
      create A, read A without a key, cancel A by its id percent-encoded
      create A, create B, cancel B, cancel A, cancel B
      create A, cancel A, create B, cancel A, cancel B
      create A, cancel A, cancel A without a key, cancel A with a key without the scope, cancel A, read A
      create A, create B, create C, cancel B, cancel C at the same time, create D at the same time, cancel D, cancel A`,
      'ends-session',
      2 / 8,
    ),
    joined(
      'create A, cancel A, create B, read A, read B, cancel B, read B, cancel B, read B, read B without a key, read B with an unknown key, read B with a key without the scope',
      'reads-session',
    ),
    apart(
      `create A, read A, read A, read A, read A, read A, read A, read A, read A, read A, read A, read A, read A, cancel A, read A, cancel A, cancel A, read A, read A
      create A, cancel A without a key, read A, create B, cancel A with text outside ASCII, read B, read A, cancel B
      create A, cancel A, create B with escaped letters, read A, read B, cancel B, read B, read A
      create A, cancel A, read A without a key, read A with an unknown key, read A with a key without the scope`,
      'reads-session',
      1 / 8,
    ),
    joined('create A, cancel A', 'creates-session'),
    apart('create A, create B, cancel A, create C, cancel C, cancel B', 'creates-session', 1 / 8),
  ],
  // That a create or cancel of another session ends a session is none: SESSION-5 only recommends that it does not.
  reports: ({ rule, end }, session) =>
    end.operation === session.operation.id && ['status', 'identity'].includes(rule),
  evaluate: (session) => {
    const calls = session.of('call');
    if (
      !session.by('ends-session').some(isOk) ||
      !calls.some((call) => call.operation === session.operation.id)
    )
      return notTested('no session was created and cancelled');
    return pass(`walks of ${calls.length} calls, each answered with a defined status`);
  },
});
