import type { Examples } from '../examples-for-tests.ts';
import {
  atRead,
  cancelOperation,
  createOperation,
  played,
  session,
  untouchedSession,
  walkExamples,
} from './example-sessions-for-tests.ts';

export const examples: Examples = walkExamples(cancelOperation, {
  passes: {
    'every call gets a defined status': [
      'create A 200, read A 200, cancel A 200, cancel A 409, cancel A 404, read A 404',
      'create A 200, cancel A without a key 401, cancel A 200, cancel A with an unknown key 409',
      'create A 200, create B 409, cancel A 200',
    ],
    'a create ends the previous session, also one at the same time': [
      'create A 200, create B 200, cancel A 409, cancel B 200',
      'create A 200, cancel A 409, create B at the same time 200, cancel B 200',
    ],
    'equal creates return one session, even after its cancel': played(
      'create A 200, cancel A 200, create B 200, cancel B 409',
      { ids: { A: 'cs_1', B: 'cs_1' } },
    ),
    'a throttled cancel may have taken effect': 'create A 200, cancel A 429, cancel A 409, cancel A 200',
    'a read finds the session on retry': atRead('create A 200, read A 404, read A 200, cancel A 200'),
    'a cancel succeeds on retry': 'create A 200, cancel A 404, cancel A 200',
    'one of two cancels at once comes first': 'create A 200, cancel A 409, cancel A at the same time 200',
    'an encoding that is not needed is refused, and leaves the session open':
      'create A 200, cancel A by its id percent-encoded 400, cancel A 200',
  },
  violates: {
    'the third cancel crashes': 'create A 200, cancel A 200, cancel A 409, cancel A 500',
    'a read after two cancels gets 409': atRead('create A 200, cancel A 200, cancel A 409, read A 409'),
    'a create after a cancel crashes': {
      operation: createOperation,
      exchanges: 'create A 200, cancel A 200, create B 500',
    },
    'a refused cancel prevents a valid one': [
      'create A 200, cancel A without a key 401, cancel A 409',
      untouchedSession(),
    ],
    'a cancel fails beside a create, which ends no session otherwise': [
      'create A 200, create B 200, cancel A 200, cancel B 200',
      'create A 200, cancel A 409, create B at the same time 200, cancel B 200',
      untouchedSession(),
    ],
    'a cancel fails on retry too': ['create A 200, cancel A 404, cancel A 404', untouchedSession()],
    'a read shows the previous session': atRead(
      played('create A 200, create B 200, read A 200, read B 200, cancel A 200', {
        shown: { B: 'A' },
      }),
    ),
    'reads at the same time are swapped': atRead(
      played('create A 200, create B 200, read A 200, read B at the same time 200, cancel A 200', {
        shown: { A: 'B', B: 'A' },
      }),
    ),
  },
  inconclusive: {
    'a cancel alone crashes': atRead('create A 200, cancel A 500, cancel A 500'),
    'sessions that are left alone end too': [
      'create A 200, cancel A without a key 401, cancel A 409',
      untouchedSession(session('cs_8', 'cancelled')),
    ],
    'no session was created': [],
  },
});
