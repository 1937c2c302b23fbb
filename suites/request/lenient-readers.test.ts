import { expect, test } from 'vitest';
import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import { refusalViolations } from '../../harness/checks/refusal.ts';
import { toldOf } from './lenient-readers.ts';

test.each([
  ['form', 'A form was accepted in place of JSON', 'answer 400 to a form'],
  ['comment', 'A text that is not quite JSON was read as if it were JSON', 'Make the JSON parser strict'],
])('what read a %s is told by headline and fix', (id, headline, fix) => {
  const exchange = exampleExchange({ step: 'value', row: { body: id }, status: 200 });
  const [violation] = refusalViolations([exchange], { status: 400, subject: () => 'A body', told: toldOf });
  expect(violation).toMatchObject({ headline, fix: expect.stringContaining(fix) });
});
