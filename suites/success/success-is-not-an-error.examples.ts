import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const answered = (status: number, json: object, operation = 'readExample'): Exchange =>
  example(`${status}`, { json, operation });
const error = answered(404, { code: 'x', message: 'y' }, 'readOther');

export const examples: Examples = {
  passes: {
    'a result of its own shape': [error, answered(200, { slug: 'linen' })],
    'a result with fields called like those of errors': [
      error,
      answered(200, { code: 'ok', message: 'y', data: {} }),
    ],
    'an error that carries the result of its session': [
      answered(500, { session: 'a', state: 'open' }, 'readOther'),
      answered(200, { session: 'a', state: 'open' }, 'readThis'),
      answered(200, { session: 'a', state: 'open' }),
    ],
    'one envelope for results and errors': [
      answered(404, { code: 1, data: null }, 'readOther'),
      answered(200, { code: 0, data: null }),
      answered(200, { code: 0, data: {} }, 'readOther'),
    ],
  },
  violates: {
    'an error under 200': [error, answered(200, { code: 'z', message: 'failed' })],
    'an error under 200 beside results': [
      error,
      answered(200, { slug: 'a' }),
      answered(200, { code: 'z', message: 'failed' }),
    ],
    'errors under 200 of two operations of several': [
      ...['readThis', 'readThat'].map((other) => answered(404, { code: 'x', message: 'y' }, other)),
      answered(200, { code: 'z', message: 'failed' }),
      answered(200, { code: 'z', message: 'failed' }, 'readOther'),
    ],
  },
  notApplicable: {
    'a result under 500': [answered(500, { slug: 'a' }), answered(200, { slug: 'a' })],
    'no error was seen': [answered(200, { slug: 'a' })],
    'no 200 was seen': [error],
  },
};
