import { expect, test } from 'vitest';
import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { example } from '../examples-for-tests.ts';
import { wrongReturns } from './wrong-returns.ts';

const call = (step: string, status: number, body = '{"login":"L-1"}'): Exchange =>
  exampleExchange({ step, status, body });
const none = {
  again: [],
  afterPause: [],
  afterAnother: [],
  asAnotherClient: [],
  atOnce: [],
  stranger: [],
  afterStranger: [],
  untouched: [],
};
const first = call('first', 200);

test.each([
  ['A hosted login return was accepted twice', { ...none, again: [call('again', 200, '{"login":"L-2"}')] }],
  [
    'A repeated hosted login return is not refused with a declared error',
    { ...none, again: [call('again', 500)] },
  ],
  [
    'A call without a key used up a hosted login return',
    {
      ...none,
      stranger: ['stranger 401 none', 'stranger 401 none'].map((words) => example(words)),
      afterStranger: [call('afterStranger', 409)],
      untouched: [call('untouched', 200), call('untouched', 200)],
    },
  ],
  [
    'A key without the scope used up a hosted login return',
    {
      ...none,
      stranger: ['401 none', '403 unscoped', '403 unscoped'].map((words) => example(`stranger ${words}`)),
      afterStranger: [call('afterStranger', 200), call('afterStranger', 409)],
      untouched: [call('untouched', 200), call('untouched', 200)],
    },
  ],
])('the headline says which half applies: %s', (headline, steps) => {
  expect(wrongReturns(steps, first).map((violation) => violation.headline)).toEqual([headline]);
});
