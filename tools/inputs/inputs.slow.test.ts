import { expect, test } from 'vitest';
import { runInputs } from './run-inputs-for-tests.ts';

/** `npm run test:inputs` tries 5,000; SEED chooses others. */
const count = Number(process.env['INPUTS'] ?? 200);

test('mutated input files end in a result or a message, those of certificates too', {
  timeout: 3_600_000,
}, async () => {
  const seed = Number(process.env['SEED'] ?? 1);
  const { objections } = await runInputs({ count, seed, withCertificates: true });
  expect(objections).toEqual([]);
});
