import { expect, it } from 'vitest';
import { exampleExchange } from '../checks/example-exchange.ts';
import { classify } from './overload.ts';

const usedUp = { 'x-ratelimit-remaining': '0', 'retry-after': '1' };

it.each([
  ['an error that says that a limit is used up', 500, usedUp, 'throttled'],
  ['one that has room left', 500, { ...usedUp, 'x-ratelimit-remaining': '3' }, 'own'],
  ['one that names no time', 500, { 'x-ratelimit-remaining': '0' }, 'own'],
  ['a refusal with the last call of a limit', 401, usedUp, 'own'],
  ['a status of gateways', 503, {}, 'overloaded'],
])('%s means what it says', (_what, status, headers, meaning) => {
  expect(classify(exampleExchange({ status, headers }), undefined)).toBe(meaning);
});
