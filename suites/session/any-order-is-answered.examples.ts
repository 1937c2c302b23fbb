import type { Examples } from '../examples-for-tests.ts';
import {
  cancelOperation,
  createOperation,
  examplesOf,
  readOperation,
  session,
  untouchedSession,
} from './example-sessions-for-tests.ts';
import { played } from './example-walks-for-tests.ts';

const onCreate = examplesOf(createOperation);
const onRead = examplesOf(readOperation);
const onCancel = examplesOf(cancelOperation);

/** Examples of session/any-order-is-answered. */
export const examples: Examples = {
  passes: [
    onCancel(
      'every call gets a defined status',
      ...played('create A 200, read A 200, cancel A 200, cancel A 409, cancel A 404, read A 404'),
      ...played('create A 200, cancel A without a key 401, cancel A 200, cancel A with an unknown key 409'),
      ...played('create A 200, create B 409, cancel A 200'),
    ),
    onCancel(
      'a create ends the previous session',
      ...played('create A 200, create B 200, cancel A 409, cancel B 200'),
    ),
    onCancel(
      'equal creates return one session, even after its cancel',
      ...played('create A 200, cancel A 200, create B 200, cancel B 409', {
        ids: { A: 'cs_1', B: 'cs_1' },
      }),
    ),
    onCancel(
      'a throttled cancel may have taken effect',
      ...played('create A 200, cancel A 429, cancel A 409, cancel A 200'),
    ),
    onRead(
      'a read finds the session on retry',
      ...played('create A 200, read A 404, read A 200, cancel A 200'),
    ),
    onCancel('a cancel succeeds on retry', ...played('create A 200, cancel A 404, cancel A 200')),
    onCancel(
      'one of two cancels at once comes first',
      ...played('create A 200, cancel A 409, cancel A at the same time 200'),
    ),
    onCancel(
      'an encoding that is not needed is refused, and leaves the session open',
      ...played('create A 200, cancel A by its id percent-encoded 400, cancel A 200'),
    ),
  ],
  violates: [
    onCancel('the third cancel crashes', ...played('create A 200, cancel A 200, cancel A 409, cancel A 500')),
    onRead(
      'a read after two cancels gets 409',
      ...played('create A 200, cancel A 200, cancel A 409, read A 409'),
    ),
    onCreate('a create after a cancel crashes', ...played('create A 200, cancel A 200, create B 500')),
    onCancel(
      'a refused cancel prevents a valid one',
      ...played('create A 200, cancel A without a key 401, cancel A 409'),
      ...untouchedSession(),
    ),
    onCancel(
      'a cancel fails on retry too',
      ...played('create A 200, cancel A 404, cancel A 404'),
      ...untouchedSession(),
    ),
    onRead(
      'a read shows the previous session',
      ...played('create A 200, create B 200, read A 200, read B 200, cancel A 200', { shown: { B: 'A' } }),
    ),
    onRead(
      'reads at the same time are swapped',
      ...played('create A 200, create B 200, read A 200, read B at the same time 200, cancel A 200', {
        shown: { A: 'B', B: 'A' },
      }),
    ),
  ],
  inconclusive: [
    onRead('a cancel alone crashes', ...played('create A 200, cancel A 500, cancel A 500')),
    onCancel(
      'sessions that are left alone end too',
      ...played('create A 200, cancel A without a key 401, cancel A 409'),
      ...untouchedSession(session('cs_8', 'cancelled')),
    ),
    onCancel('no session was created'),
  ],
};
