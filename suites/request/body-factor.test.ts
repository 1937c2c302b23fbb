import { expect, test } from 'vitest';
import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import { withAnswer } from './body-factor.ts';

test('a body with the answer holds what that says, lists aside, and what it held', () => {
  const body = '{"data":{"sessionId":"s-1","merchant":"ACME","items":[{"product":"shirt"}]}}';
  const [input] = withAnswer({ merchant: 'acme' }, exampleExchange({ status: 200, body }));
  expect(input?.value).toEqual({ sessionId: 's-1', merchant: 'acme' });
});
