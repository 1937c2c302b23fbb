import type { Examples } from '../examples-for-tests.ts';
import { cancelled, cancelOperation, examplesOf, read, session } from './example-sessions-for-tests.ts';

const example = examplesOf(cancelOperation);

const id = 'cs_1';
const ended = { body: session(id, 'cancelled') };
const early = [read(id, 'open'), cancelled(id, 'cancel'), read(id, 'ended', ended)];

/** Examples of session/session-stays-cancelled. */
export const examples: Examples = {
  passes: [
    example('shown as cancelled', ...early, read(id, 'late', ended), read(id, 'late', ended)),
    example('forgotten', ...early, read(id, 'late', { status: 404 }), read(id, 'late', { status: 404 })),
    example('once of a replica that lags', ...early, read(id, 'late'), read(id, 'late', ended)),
  ],
  violates: [example('open again', ...early, read(id, 'late'), read(id, 'late'))],
  inconclusive: [
    example('not cancelled', read(id, 'open'), cancelled(id, 'cancel', { status: 409 })),
    example('nothing was sent late', ...early),
    example(
      'another case has it as well',
      ...early,
      ...[1, 2].map(() => read(id, 'late', { row: { shared: 'session' } })),
    ),
  ],
};
