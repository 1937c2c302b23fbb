import type { Examples } from '../examples-for-tests.ts';
import { played, read, readOperation, session, walkExamples } from './example-sessions-for-tests.ts';

const one = 'create A 200, read A 200';
const two = `${one}, create B 200, read B 200, read A 200`;
const ids = { A: 'cs_a1b2c3d4', B: 'cs_e5f6g7h8' };
const numbers = {
  'create A 200': '{"sessionId":"cs_a1b2c3d4","number":"N-1"}',
  'read A 200': '{"number":"N-1"}',
  'create B 200': '{"sessionId":"cs_e5f6g7h8","number":"N-2"}',
  'read B 200': '{"number":"N-2"}',
};
const numbersLikeTimes = {
  'create A 200': '{"sessionId":"cs_a1b2c3d4","number":1712345678901}',
  'create B 200': '{"sessionId":"cs_e5f6g7h8","number":1712345678999}',
};
/** The read of B has the place that the create of A had. */
const places = (readOfA: string): object => {
  const shown = (id: string, place: string): string => JSON.stringify({ sessionId: id, place });
  return {
    ids,
    bodies: {
      'create A 200': shown(ids.A, 'place-number-1'),
      'read A 200': shown(ids.A, readOfA),
      'create B 200': shown(ids.B, 'place-number-2'),
      'read B 200': shown(ids.B, 'place-number-1'),
    },
  };
};
const roundedIds = {
  ids: { A: '7301444403200004099', B: '7301444403200008198' },
  bodies: {
    'read A 200': '{"sessionId":7301444403200004000,"state":"open"}',
    'read B 200': '{"sessionId":7301444403200008000,"state":"open"}',
  },
};
const readGuessed = read('cs_i9j8k7l6', 'readCaptured', {
  status: 404,
  values: { sessionId: { value: 'cs_i9j8k7l6', source: 'discovered' } },
});
const everyRead = (body: string): object => ({ ids, bodies: { 'read A 200': body, 'read B 200': body } });

export const examples: Examples = walkExamples(readOperation, {
  passes: {
    'reads show the right session': played(two),
    'a read finds the session on retry': 'create A 200, read A 404, read A 200',
    'the id is part of a link': played(one, {
      ids,
      bodies: { 'read A 200': '{"self":"/checkout/sessions/cs_a1b2c3d4"}' },
    }),
    'reads show another field that tells sessions apart': played(two, { ids, bodies: numbers }),
    'a text changes with every call': played(two, places('place-number-0')),
  },
  violates: {
    'the created session is not found': 'create A 200, read A 404',
    'a guessed id by which a cancel finds the session is not found by reads': [
      played('create A 200, read A 404, cancel A 200', { ids, bodies: numbers }),
      readGuessed,
    ],
    'a guessed id that is the only new value of a create is not found': [
      played('create A 200, read A 404, create B 200', { ids }),
      readGuessed,
    ],
    'reads show the newest session': played(two, { shown: { A: 'B' } }),
    'concurrent reads are swapped': played(`${two}, read B 200 open, read A at the same time 200`, {
      ids,
      bodies: { 'read B 200 open': session(ids.A), 'read A at the same time 200': session(ids.B) },
    }),
    'a read shows the contents of an older session': played(two, places('place-number-1')),
    'every read shows a third session': played(two, everyRead(session('cs_w3x4y5z6'))),
    'a read shows an empty object': played(one, { bodies: { 'read A 200': '{}' } }),
    'a read shows an id that is not found': [
      played(one, everyRead(session('cs_a1b2q7r8'))),
      read('cs_a1b2q7r8', 'readByShownId', { status: 404 }),
    ],
    'a read rounds the id to a number that is not found': [
      played(two, roundedIds),
      read('7301444403200004000', 'readByShownId', { status: 404 }),
    ],
    'a cancelled session is shown under another id': played(
      `${one}, cancel A 200, create B 200, read A 200 cancelled`,
      { ids, bodies: { 'read A 200 cancelled': session('cs_a1b2q7r8', 'cancelled') } },
    ),
  },
  inconclusive: {
    'a read shows the id as a rounded number that is found, too': played(two, roundedIds),
    'a guessed id is not found': [played('create A 200, read A 404', { ids }), readGuessed],
    'a guessed id beside a number that may be an id or a time is not found': [
      played('create A 200, read A 404, create B 200', { ids, bodies: numbersLikeTimes }),
      readGuessed,
    ],
    'a guessed id beside another new value is not found': [
      played('create A 200, read A 404, create B 200', { ids, bodies: numbers }),
      readGuessed,
    ],
    'the id is a number beyond double precision': played('create A 200, read A 404', {
      ids: { A: '1234567890123456800' },
      bodies: { 'create A 200': '{"sessionId":1234567890123456789}' },
    }),
    'the id is a token that reads mask': played(two, everyRead(session('***********'))),
    'reads show nothing that tells sessions apart': played(two, everyRead('{"state":"open"}')),
    'the read shows no id, and there is no second session': played(one, everyRead('{"state":"open"}')),
    'the read is not answered with JSON': played(one, everyRead('<p>')),
    'no session was created': 'create A 409',
  },
});
