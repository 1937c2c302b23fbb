import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';
import { cancelled, cancelOperation, read, session } from './example-sessions-for-tests.ts';

const id = 'cs_1';
const ended = { body: session(id, 'cancelled') };
const early = [read(id, 'open'), cancelled(id, 'cancel'), read(id, 'ended', ended)];

/** Another session that is cancelled, and its late read. */
function another(shown?: { readonly body: string }): readonly Exchange[] {
  const body = shown === undefined ? {} : { body: shown.body.replace(id, 'cs_2') };
  return [cancelled('cs_2', 'cancelOther'), read('cs_2', 'lateOther', body)];
}

export const examples: Examples = {
  operation: cancelOperation,
  passes: {
    'shown as cancelled': [...early, read(id, 'late', ended), read(id, 'late', ended)],
    'as is one that was cancelled later': [...early, ...another(ended), read(id, 'late', ended)],
    forgotten: [...early, read(id, 'late', { status: 404 }), read(id, 'late', { status: 404 })],
    'in a field that differs at each read': [
      ...early,
      ...['open', 'seen', 'cancelled'].map((state) => read(id, 'late', { body: session(id, state) })),
    ],
  },
  violates: {
    'open again': [...early, read(id, 'late'), read(id, 'late')],
    'and one that was cancelled later is open': [...early, ...another(), read(id, 'late', ended)],
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
