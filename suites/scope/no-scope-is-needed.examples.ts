import type { Examples } from '../examples-for-tests.ts';

export const examples: Examples = {
  passes: { 'let in': ['asAnotherClient 200 unscoped'] },
  violates: {
    'forbidden without the scope, let in with it': ['asAnotherClient 403 unscoped', 'withScope 200'],
    'hidden without the scope': ['asAnotherClient 404 unscoped', 'withScope 200'],
    'forbidden right after a call that needs the scope': [
      'afterRefusal 403 unscoped',
      'withScope 200',
      'later 200 unscoped',
    ],
  },
  inconclusive: { 'forbidden with either key': ['asAnotherClient 403 unscoped', 'withScope 403'] },
};
