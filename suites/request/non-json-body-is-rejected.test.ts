import { expect, test } from 'vitest';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { check } from './non-json-body-is-rejected.check.ts';

test.each([
  ['form', 'A form was accepted in place of JSON', 'answer 400 to a form'],
  ['comment', 'A text that is not quite JSON was read as if it were JSON', 'Make the JSON parser strict'],
])('what read a %s is told by headline and fix', (id, headline, fix) => {
  const exchange = exampleExchange({ step: 'value', row: { body: id }, status: 200 });
  const evaluation = check.evaluate({ operation: exampleOperation(), exchanges: [exchange] });
  expect(evaluation).toMatchObject({ violations: [{ headline, fix: expect.stringContaining(fix) }] });
});
