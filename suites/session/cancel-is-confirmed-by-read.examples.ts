import type { Examples } from '../examples-for-tests.ts';
import { cancelOperation, played, session, walkExamples } from './example-sessions-for-tests.ts';

const start = 'create A 200, read A 200, read A 200';
const shown = 'read A 200 cancelled';
const confirmed = `${start}, cancel A 200, ${shown}, ${shown}`;
const beside = 'create B 200, read B 200';
const ids = { A: 'cs_a1b2c3d4', B: 'cs_e5f6g7h8' };
const linked = (self: string, more: object = {}): string => session(ids.A, 'open', { self, ...more });

export const examples: Examples = walkExamples(cancelOperation, {
  passes: {
    'a read confirms the cancel': played(confirmed),
    'the state advances after the cancel': `${start}, cancel A 200 cancelling, read A 200 CANCELLED, read A 200 CANCELLED`,
    'one read seconds later is stale': `${confirmed}, wait 2 s, read A 200, ${shown}`,
    'one read in another representation is stale seconds later': `${confirmed}, wait 2 s, ${shown}, read A accepting gzip 200`,
    'the session is gone seconds later': `${confirmed}, wait 2 s, read A 404`,
    'a cancel beside a read is refused': `${confirmed}, ${beside}, cancel B at the same time 409, wait 2 s, ${shown}, read B 200, read B 200`,
    'the cancelled session is gone': `${start}, cancel A 200, read A 404`,
    'the session has changed since before its cancel': `${confirmed}, wait 2 s, read A if it has changed 200 cancelled, ${shown}`,
    'a part of the target has not learned of the cancel yet': `${start}, cancel A 200, read A if it has changed 304, ${shown}`,
  },
  violates: {
    'the session is open again': `${confirmed}, wait 2 s, read A 200, read A 200`,
    'the session that was cancelled after it is shown': played(
      `${confirmed}, create B 200, wait 2 s, read A 200 CANCELLED, read B 200`,
      { ids, bodies: { 'read A 200 CANCELLED': session(ids.B, 'CANCELLED') } },
    ),
    'a cancel beside a read is lost': `${confirmed}, ${beside}, cancel B at the same time 200, wait 2 s, ${shown}, read B 200, read B 200`,
    'reads show the session as open': `${start}, cancel A 200, read A 200, read A 200`,
    'reads show the session as open while it is polled': `${start}, cancel A 200, wait 2 s, read A 200, read A 200`,
    'reads in one representation show the session as open seconds later': `${start}, cancel A 200, ${shown}, wait 2 s, ${shown}, read A accepting gzip 200, read A accepting gzip 200`,
    'the session has not changed since before its cancel': `${confirmed}, wait 2 s, read A if it has changed 304, ${shown}`,
    'a session that is gone has not changed': `${confirmed}, wait 2 s, read A if it has changed 304, read A 404`,
    'the cancel reports the session as it was': `${start}, cancel A 200 open, ${shown}, ${shown}`,
  },
  inconclusive: {
    'only a link to the operation and a time differ': played(
      `${start}, cancel A 200, read A 200, read A 200`,
      {
        ids,
        bodies: {
          'create A 200': linked('/sessions'),
          'read A 200': linked('/sessions/1'),
          'cancel A 200': linked('/sessions/1/cancel', { at: '2026-01-01T00:00:00Z' }),
        },
      },
    ),
    'the reads show another session': played(`${start}, cancel A 200, read A 200, read A 200`, {
      ids,
      bodies: { 'read A 200': session('cs_i9j8k7l6') },
    }),
    'the cancel is refused': `${start}, cancel A 409`,
    'a read of the cancelled session crashes': `${start}, cancel A 200, read A 500`,
    'the cancel is not answered with JSON': played(`${start}, cancel A 200, read A 200, read A 200`, {
      bodies: { 'cancel A 200': 'cancelled' },
    }),
    'the session cannot be read before its cancel': 'create A 200, read A 404',
    'no session was created': [],
  },
});
