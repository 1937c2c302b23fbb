import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';
import {
  atRead,
  cancelled,
  cancelOperation,
  created,
  played,
  read,
  session,
  untouchedSession,
  walkExamples,
} from './example-sessions-for-tests.ts';

/** Two creates with different bodies that return a cancelled session, and what comes of it. */
function returned(shown: string, common: object = {}): readonly Exchange[] {
  const create = (basket: number, step?: string): Exchange =>
    created(
      'cs_1',
      { ...(step && { step }), body: session('cs_1', shown) },
      JSON.stringify({ size: basket, ...common }),
    );
  return [
    create(1),
    create(4, 'createOther'),
    read('cs_1', 'readReturned', { body: session('cs_1', 'cancelled') }),
    cancelled('cs_1', 'cancelReturned', { status: 409 }),
    read('cs_1', 'readReturnedAgain', { body: session('cs_1', 'cancelled') }),
  ];
}

const start = 'create A 200, read A 200';
const refused = played(`${start}, cancel A 409, cancel A 409, read A 200`);

export const examples: Examples = walkExamples(cancelOperation, {
  passes: {
    'a second cancel gets 409': `${start}, cancel A 200, cancel A 409`,
    'a cancel can be repeated': `${start}, cancel A 200, cancel A 200`,
    'the cancelled session is read': atRead(`${start}, cancel A 200, read A 200 cancelled`),
    'the cancelled session is gone': atRead(`${start}, cancel A 200, read A 404`),
  },
  violates: {
    'every create returns a session that was cancelled, as if it were open': returned('open'),
    'every create returns a session that was cancelled, and shows it': returned('cancelled'),
    'a second cancel crashes': `${start}, cancel A 200, cancel A 500`,
    'the cancel of a fresh session gets 409, and the session stays open': [refused, untouchedSession()],
    'the same, and a read of another session comes too early': [
      refused,
      untouchedSession().toSpliced(1, 0, read('cs_8', 'untouchedFirst', { status: 404, body: '{}' })),
    ],
    'the first cancel of each session gets 409': [
      `${start}, cancel A 409, cancel A 200`,
      played('create A 200', { step: 'createRested' }),
      played('create A 200, cancel A 409', { step: 'cancelRested' }),
    ],
    'the cancel of a fresh session gets 400': `${start}, cancel A 400`,
    'a read after two cancels gets 410': `${start}, cancel A 200, cancel A 409, read A 410`,
    'a read of the cancelled session gets 409': atRead(`${start}, cancel A 200, read A 409`),
  },
  inconclusive: {
    'the creates have an order in common': returned('open', { order: 'o-1' }),
    'equal creates return the session that was cancelled': [
      refused,
      created('cs_1'),
      read('cs_1', 'untouchedFirst'),
      read('cs_1', 'untouchedAgain'),
      created('cs_1'),
      read('cs_1', 'untouchedLast'),
    ],
    'another case has the same session': [
      refused.map((one) => ({ ...one, row: { ...one.row, shared: 'session' } })),
      untouchedSession(),
    ],
    'a create replaces the previous session': [refused, untouchedSession(session('cs_8', 'replaced'))],
    'a throttled cancel may have taken effect': [`${start}, cancel A 429, cancel A 409`, untouchedSession()],
    'no session was created': 'create A 409',
    'no cancelled session exists to be read': atRead(`${start}, cancel A 500`),
    'no session can be read': atRead('create A 200, read A 500, cancel A 200, read A 500'),
  },
});
