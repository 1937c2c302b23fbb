import type { Examples } from '../examples-for-tests.ts';

export const examples: Examples = {
  passes: { 'let in': [{ step: 'asAnotherClient', status: 200, credential: 'unscoped' }] },
  violates: {
    'forbidden without the scope, let in with it': [
      { step: 'asAnotherClient', status: 403, credential: 'unscoped' },
      { step: 'withScope', status: 200 },
    ],
    'hidden without the scope': [
      { step: 'asAnotherClient', status: 404, credential: 'unscoped' },
      { step: 'withScope', status: 200 },
    ],
    'forbidden right after a call that needs the scope': [
      { step: 'afterRefusal', status: 403, credential: 'unscoped' },
      { step: 'withScope', status: 200 },
      { step: 'later', status: 200, credential: 'unscoped' },
    ],
  },
  inconclusive: {
    'forbidden with either key': [
      { step: 'asAnotherClient', status: 403, credential: 'unscoped' },
      { step: 'withScope', status: 403 },
    ],
  },
};
