import { expect, it } from 'vitest';
import { exampleExchange } from '../checks/example-exchange.ts';
import { saidOf } from './find-bodies.ts';

it.each([
  [
    { error: 'invalid', fields: { merchant: ['This field is required.'] } },
    ['invalid', 'merchant: This field is required.'],
  ],
  [
    { errors: [{ code: 'missing', message: 'items must not be empty' }] },
    ['missing', 'items must not be empty'],
  ],
])('names the fields under which an error is told: %j', (body, texts) => {
  const exchange = exampleExchange({ status: 400, body: JSON.stringify(body) });
  expect(saidOf(exchange, body)).toEqual(texts);
});

it('takes the whole text of an error that is not JSON', () => {
  const exchange = exampleExchange({ status: 400, body: 'Not a valid body' });
  expect(saidOf(exchange, undefined)).toEqual(['Not a valid body']);
});
