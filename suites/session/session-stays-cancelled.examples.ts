import type { Examples } from '../examples-for-tests.ts';
import { cancelled, cancelOperation, read, session } from './example-sessions-for-tests.ts';

const id = 'cs_1';
const ended = { body: session(id, 'cancelled') };
const early = [read(id, 'open'), cancelled(id, 'cancel'), read(id, 'ended', ended)];

export const examples: Examples = {
  operation: cancelOperation,
  passes: {
    'shown as cancelled': [...early, read(id, 'late', ended), read(id, 'late', ended)],
    forgotten: [...early, read(id, 'late', { status: 404 }), read(id, 'late', { status: 404 })],
    'in a field that differs at each read': [
      ...early,
      ...['open', 'seen', 'cancelled'].map((state) => read(id, 'late', { body: session(id, state) })),
    ],
  },
  violates: {
    'open again': [...early, read(id, 'late'), read(id, 'late')],
    'open again in one of two reads': [...early, read(id, 'late'), read(id, 'late', ended)],
  },
  inconclusive: {
    'not cancelled': [read(id, 'open'), cancelled(id, 'cancel', { status: 409 })],
    'nothing was sent late': early,
    'another case has it as well': [
      ...early,
      ...[1, 2].map(() => read(id, 'late', { row: { shared: 'session' } })),
    ],
  },
};
