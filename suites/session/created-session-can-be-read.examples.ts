import type { Examples } from '../../harness/checks/examples.ts';
import { created, examplesOf, read, readOperation, session } from './example-sessions-for-tests.ts';

const example = examplesOf(readOperation);

/** Examples of session/created-session-can-be-read. */
export const examples: Examples = {
  passes: [
    example(
      'reads show the right session',
      created('cs_a1b2c3d4'),
      read('cs_a1b2c3d4', 'readFirst'),
      created('cs_e5f6g7h8'),
      read('cs_e5f6g7h8', 'readSecond'),
      read('cs_a1b2c3d4', 'readFirstAgain'),
    ),
    example(
      'a read finds the session on retry',
      created('cs_a1b2c3d4'),
      read('cs_a1b2c3d4', 'readFirst', { status: 404 }),
      read('cs_a1b2c3d4', 'readFirst'),
    ),
    example(
      'the id is part of a link',
      created('cs_a1b2c3d4'),
      read('cs_a1b2c3d4', 'readFirst', { body: '{"self":"/checkout/sessions/cs_a1b2c3d4"}' }),
    ),
    example(
      'reads show another field that tells sessions apart',
      created('cs_a1b2c3d4', { body: '{"sessionId":"cs_a1b2c3d4","number":"N-1"}' }),
      read('cs_a1b2c3d4', 'readFirst', { body: '{"number":"N-1"}' }),
      created('cs_e5f6g7h8', { body: '{"sessionId":"cs_e5f6g7h8","number":"N-2"}' }),
      read('cs_e5f6g7h8', 'readSecond', { body: '{"number":"N-2"}' }),
    ),
  ],
  violates: [
    example(
      'the created session is not found',
      created('cs_a1b2c3d4'),
      read('cs_a1b2c3d4', 'readFirst', { status: 404 }),
    ),
    example(
      'reads show the newest session',
      created('cs_a1b2c3d4'),
      read('cs_a1b2c3d4', 'readFirst'),
      created('cs_e5f6g7h8'),
      read('cs_e5f6g7h8', 'readSecond'),
      read('cs_a1b2c3d4', 'readFirstAgain', { body: session('cs_e5f6g7h8') }),
    ),
    example(
      'concurrent reads are swapped',
      created('cs_a1b2c3d4'),
      read('cs_a1b2c3d4', 'readFirst'),
      created('cs_e5f6g7h8'),
      read('cs_e5f6g7h8', 'readSecond'),
      read('cs_a1b2c3d4', 'readFirstAgain'),
      read('cs_a1b2c3d4', 'readFirstBesideSecond', { body: session('cs_e5f6g7h8') }),
      read('cs_e5f6g7h8', 'readSecondBesideFirst', { body: session('cs_a1b2c3d4') }),
    ),
    example(
      'every read shows a third session',
      created('cs_a1b2c3d4'),
      read('cs_a1b2c3d4', 'readFirst', { body: session('cs_w3x4y5z6') }),
      created('cs_e5f6g7h8'),
      read('cs_e5f6g7h8', 'readSecond', { body: session('cs_w3x4y5z6') }),
    ),
    example(
      'a read shows an empty object',
      created('cs_a1b2c3d4'),
      read('cs_a1b2c3d4', 'readFirst', { body: '{}' }),
    ),
    example(
      'a read shows an id that is not found',
      created('cs_a1b2c3d4'),
      read('cs_a1b2c3d4', 'readFirst', { body: session('cs_a1b2q7r8') }),
      read('cs_a1b2q7r8', 'readByShownId', { status: 404 }),
    ),
  ],
  inconclusive: [
    example(
      'a guessed id is not found',
      created('cs_a1b2c3d4'),
      read('cs_a1b2c3d4', 'readFirst', { status: 404 }),
      read('cs_i9j8k7l6', 'readCaptured', {
        status: 404,
        values: { sessionId: { value: 'cs_i9j8k7l6', source: 'discovered' } },
      }),
    ),
    example(
      'the id is a number beyond double precision',
      created('1234567890123456800', { body: '{"sessionId":1234567890123456789}' }),
      read('1234567890123456800', 'readFirst', { status: 404 }),
    ),
    example(
      'the id is a token that reads mask',
      created('cs_a1b2c3d4'),
      read('cs_a1b2c3d4', 'readFirst', { body: session('***********') }),
      created('cs_e5f6g7h8'),
      read('cs_e5f6g7h8', 'readSecond', { body: session('***********') }),
    ),
    example(
      'reads show nothing that tells sessions apart',
      created('cs_a1b2c3d4'),
      read('cs_a1b2c3d4', 'readFirst', { body: '{"state":"open"}' }),
      created('cs_e5f6g7h8'),
      read('cs_e5f6g7h8', 'readSecond', { body: '{"state":"open"}' }),
    ),
    example(
      'the read shows no id, and there is no second session',
      created('cs_a1b2c3d4'),
      read('cs_a1b2c3d4', 'readFirst', { body: '{"state":"open"}' }),
    ),
    example(
      'the read is not answered with JSON',
      created('cs_a1b2c3d4'),
      read('cs_a1b2c3d4', 'readFirst', { body: '<p>' }),
    ),
    example('no session was created', created('cs_a1b2c3d4', { status: 409 })),
  ],
};
