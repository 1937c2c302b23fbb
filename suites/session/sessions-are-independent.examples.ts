import type { Examples } from '../../harness/checks/examples.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import {
  cancelled,
  created,
  createOperation,
  examplesOf,
  read,
  session,
  untouchedSession,
} from './example-sessions-for-tests.ts';

const example = examplesOf(createOperation);

/** Examples of session/sessions-are-independent. */
export const examples: Examples = {
  passes: [
    example('two independent sessions', ...pair()),
    example(
      'creates at once get their own answers',
      ...pair(),
      createdFor('cs_5', 'one', 'one'),
      createdFor('cs_6', 'two', 'two'),
      createdFor('cs_7', 'one', 'one', 'createAtOnce'),
      createdFor('cs_8', 'two', 'two', 'createAtOnce'),
    ),
    // STATUS-1 evaluates the crash.
    example(
      'creates at once crash, and ids are not counted',
      ...pair(),
      created('cs_7f1e'),
      created('', { step: 'createAtOnce', status: 500 }),
    ),
  ],
  violates: [
    example(
      'creates at once get the answers of each other',
      ...pair(),
      createdFor('cs_5', 'one', 'one'),
      createdFor('cs_6', 'two', 'two'),
      createdFor('cs_7', 'one', 'two', 'createAtOnce'),
      createdFor('cs_8', 'two', 'one', 'createAtOnce'),
    ),
    example(
      'creates at once crash, and ids are counted',
      ...pair(),
      created('cs_3'),
      created('', { step: 'createAtOnce', status: 500 }),
    ),
    example(
      'cancelling the first cancels the second',
      ...pair({ readSecondAgain: session('cs_2', 'cancelled'), cancelSecond: 409 }),
      ...untouchedSession(),
    ),
    example(
      'a session gets the id of a cancelled one',
      created('cs_1'),
      cancelled('cs_1', 'cancelModel'),
      created('cs_1', { step: 'createFirst' }, '{"basket":2}'),
      read('cs_1', 'readFirstAlone'),
    ),
    example('the second can no longer be cancelled', ...pair({ cancelSecond: 409 }), ...untouchedSession()),
    example(
      'different creates return one session',
      created('cs_1', {}, '{"basket":1}'),
      read('cs_1', 'readFirstAlone'),
      created('cs_1', {}, '{"basket":2}'),
      read('cs_1', 'readSecond'),
    ),
    example(
      'a different create ends the first session',
      created('cs_1'),
      read('cs_1', 'readFirstAlone'),
      created('cs_2', { body: session('cs_2') }, '{"basket":2}'),
      read('cs_2', 'readSecond'),
      read('cs_1', 'readFirst', { body: session('cs_1', 'replaced') }),
      cancelled('cs_1', 'cancelFirst', { status: 409 }),
    ),
  ],
  inconclusive: [
    example(
      'equal creates return one session',
      created('cs_1'),
      read('cs_1', 'readFirstAlone'),
      created('cs_1'),
      read('cs_1', 'readSecond'),
    ),
    example(
      'an equal create replaces the first session',
      created('cs_1'),
      read('cs_1', 'readFirstAlone'),
      created('cs_2', { body: session('cs_2') }),
      read('cs_2', 'readSecond'),
      read('cs_1', 'readFirst', { body: session('cs_1', 'replaced') }),
      cancelled('cs_1', 'cancelFirst', { status: 409 }),
    ),
    example(
      'an equal create is refused while a session is open',
      created('cs_1'),
      read('cs_1', 'readFirstAlone'),
      created('cs_2', { status: 409 }),
    ),
    example(
      'untouched sessions change too',
      ...pair({ cancelSecond: 409 }),
      ...untouchedSession(session('cs_8', 'cancelled')),
    ),
    example('the first session cannot be cancelled', ...pair({ cancelFirst: 500 })),
    example(
      'the first session cannot be read',
      created('cs_1'),
      read('cs_1', 'readFirstAlone', { status: 404 }),
    ),
    example('no session was created'),
  ],
  notApplicable: [
    example(
      'a different create is refused while a session is open',
      created('cs_1'),
      read('cs_1', 'readFirstAlone'),
      created('cs_2', { status: 409 }, '{"basket":2}'),
    ),
  ],
};

/** A create that asks for a basket and shows one. */
function createdFor(id: string, asked: string, shown: string, step?: string): Exchange {
  const body = session(id, 'open', { basket: shown });
  return created(id, { body, ...(step && { step }) }, JSON.stringify({ basket: asked }));
}

/** Two sessions, the first of which is cancelled. */
function pair(
  parts: {
    readonly readSecondAgain?: string;
    readonly cancelFirst?: number;
    readonly cancelSecond?: number;
  } = {},
): readonly Exchange[] {
  return [
    created('cs_1'),
    read('cs_1', 'readFirstAlone'),
    created('cs_2', { body: session('cs_2') }),
    read('cs_2', 'readSecond'),
    read('cs_1', 'readFirst'),
    cancelled('cs_1', 'cancelFirst', { status: parts.cancelFirst ?? 200 }),
    read('cs_1', 'readFirstCancelled', { body: session('cs_1', 'cancelled') }),
    read('cs_2', 'readSecondAgain', { body: parts.readSecondAgain ?? session('cs_2') }),
    cancelled('cs_2', 'cancelSecond', { status: parts.cancelSecond ?? 200 }),
  ];
}
