import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import { type Examples, example, stepped } from '../examples-for-tests.ts';

const consumed = 'first 200, again 409';
const usedUp = `${consumed}, stranger 401 none, stranger 401 none, afterStranger 409`;
const withoutScope = 'stranger 403 unscoped, afterStranger 409, untouched 200';

export const examples: Examples = {
  operation: exampleOperation({ method: 'POST', role: 'consumes-login' }),
  passes: {
    'refused with 409': stepped(consumed),
    'a stranger left the login as it was': stepped(`${consumed}, stranger 401 none, afterStranger 200`),
    'no login can be consumed any more': stepped(
      `${consumed}, stranger 401 none, afterStranger 409, untouched 409`,
    ),
    'a login was given out again that had been consumed, and the next was not': stepped(
      `${usedUp}, untouched 200, afterStranger 200`,
    ),
    'a login was given out again that had been consumed, before another stranger came': stepped(
      `${consumed}, stranger 401 none, afterStranger 409, untouched 200, stranger 401 none, afterStranger 200, ${withoutScope}, stranger 403 unscoped, afterStranger 200`,
    ),
    'repeated unchanged for a moment, then refused': stepped('first 200, again 200, again 404'),
  },
  violates: {
    'a stranger used up the login': stepped(`${usedUp}, afterStranger 409, untouched 200, untouched 200`),
    'a key without the scope used up the login': stepped(
      `${consumed}, stranger 401 none, afterStranger 200, ${withoutScope}, ${withoutScope}`,
    ),
    'a second login': [example('first 200'), example('again 200', { json: { login: 'L-2' } })],
    '500': stepped('first 200, again 500'),
  },
  inconclusive: {
    'repeated unchanged for longer': stepped('first 200, again 200, again 200'),
    'refused the first time already': stepped('first 409'),
    'a body that holds a secret': stepped('first 200'),
    'nothing was sent': [],
  },
};
