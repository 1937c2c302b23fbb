import type { Examples } from '../../harness/checks/examples.ts';
import {
  cancelled,
  cancelOperation,
  created,
  examplesOf,
  read,
  session,
} from './example-sessions-for-tests.ts';

const example = examplesOf(cancelOperation);
const start = [created('cs_1'), read('cs_1', 'readBefore'), read('cs_1', 'readBeforeAgain')];
const shown = { body: session('cs_1', 'cancelled') };
const confirmed = [
  ...start,
  cancelled('cs_1', 'cancel'),
  read('cs_1', 'readAfter', shown),
  read('cs_1', 'readAfterAgain', shown),
];

/** Examples of session/cancel-is-confirmed-by-read. */
export const examples: Examples = {
  passes: [
    example(
      'a read confirms the cancel',
      ...start,
      cancelled('cs_1', 'cancel'),
      read('cs_1', 'readAfter', { body: session('cs_1', 'cancelled') }),
      read('cs_1', 'readAfterAgain', { body: session('cs_1', 'cancelled') }),
    ),
    example(
      'a read confirms the cancel on retry',
      ...start,
      cancelled('cs_1', 'cancel'),
      read('cs_1', 'readAfter'),
      read('cs_1', 'readAfter', { body: session('cs_1', 'cancelled') }),
      read('cs_1', 'readAfterAgain', { body: session('cs_1', 'cancelled') }),
    ),
    example(
      'the state advances after the cancel',
      ...start,
      cancelled('cs_1', 'cancel', { body: session('cs_1', 'cancelling') }),
      read('cs_1', 'readAfter', { body: session('cs_1', 'CANCELLED') }),
      read('cs_1', 'readAfterAgain', { body: session('cs_1', 'CANCELLED') }),
    ),
    example(
      'one read seconds later is stale',
      ...confirmed,
      read('cs_1', 'readLate'),
      read('cs_1', 'readLate', shown),
    ),
    example('the session is gone seconds later', ...confirmed, read('cs_1', 'readLate', { status: 404 })),
    example(
      'a cancel beside a read is refused',
      ...confirmed,
      cancelled('cs_2', 'cancelBeside', { status: 409 }),
      read('cs_2', 'readBesideLate'),
      read('cs_2', 'readBesideLate'),
    ),
    example(
      'the cancelled session is gone',
      ...start,
      cancelled('cs_1', 'cancel'),
      read('cs_1', 'readAfter', { status: 404 }),
    ),
  ],
  violates: [
    example('the session is open again', ...confirmed, read('cs_1', 'readLate'), read('cs_1', 'readLate')),
    example(
      'the session that was cancelled after it is shown',
      ...confirmed,
      read('cs_1', 'readLate', { body: session('cs_2', 'CANCELLED') }),
    ),
    example(
      'a cancel beside a read is lost',
      ...confirmed,
      cancelled('cs_2', 'cancelBeside'),
      read('cs_2', 'readBesideLate'),
      read('cs_2', 'readBesideLate'),
    ),
    example(
      'reads show the session as open',
      ...start,
      cancelled('cs_1', 'cancel'),
      read('cs_1', 'readAfter'),
      read('cs_1', 'readAfter'),
      read('cs_1', 'readAfter'),
      read('cs_1', 'readAfterAgain'),
    ),
    example(
      'the cancel reports the session as it was',
      ...start,
      cancelled('cs_1', 'cancel', { body: session('cs_1') }),
      read('cs_1', 'readAfter', { body: session('cs_1', 'cancelled') }),
      read('cs_1', 'readAfterAgain', { body: session('cs_1', 'cancelled') }),
    ),
  ],
  inconclusive: [
    example(
      'only a link to the operation and a time differ',
      created('cs_1', { body: session('cs_1', 'open', { self: '/sessions' }) }),
      ...['readBefore', 'readBeforeAgain'].map((label) =>
        read('cs_1', label, { body: session('cs_1', 'open', { self: '/sessions/cs_1' }) }),
      ),
      cancelled('cs_1', 'cancel', {
        body: session('cs_1', 'open', { self: '/sessions/cs_1/cancel', at: '2026-01-01T00:00:00Z' }),
      }),
      ...['readAfter', 'readAfterAgain'].map((label) =>
        read('cs_1', label, { body: session('cs_1', 'open', { self: '/sessions/cs_1' }) }),
      ),
    ),
    example(
      'the reads show another session',
      created('cs_1'),
      ...['readBefore', 'readBeforeAgain'].map((label) => read('cs_1', label, { body: session('cs_9') })),
      cancelled('cs_1', 'cancel'),
      ...['readAfter', 'readAfterAgain'].map((label) => read('cs_1', label, { body: session('cs_9') })),
    ),
    example('the cancel is refused', ...start, cancelled('cs_1', 'cancel', { status: 409 })),
    example(
      'a read of the cancelled session crashes',
      ...start,
      cancelled('cs_1', 'cancel'),
      read('cs_1', 'readAfter', { status: 500 }),
    ),
    example(
      'the cancel is not answered with JSON',
      ...start,
      cancelled('cs_1', 'cancel', { body: 'cancelled' }),
      read('cs_1', 'readAfter'),
      read('cs_1', 'readAfterAgain'),
    ),
    example(
      'the session cannot be read before its cancel',
      created('cs_1'),
      read('cs_1', 'readBefore', { status: 404 }),
    ),
    example('no session was created'),
  ],
};
