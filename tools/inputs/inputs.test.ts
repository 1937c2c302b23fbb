import { expect, test } from 'vitest';
import { runInputs } from './run-inputs-for-tests.ts';

test('a sample of mutated input files ends in a result or a message', async () => {
  const count = 16;
  const { endings, objections } = await runInputs({ count, seed: 1, withCertificates: false });
  expect(objections).toEqual([]);
  // Files that are all refused, or all accepted, would show nothing.
  expect(endings.get(2)).toBeGreaterThan(count / 4);
  expect(endings.get(0)).toBeGreaterThan(0);
});
