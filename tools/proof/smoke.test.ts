import { expect, test } from 'vitest';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { evaluateAndVerify } from './evaluate-service.ts';
import { objectionsToEvidence } from './prove.ts';

test('the reference service conforms, and its evidence says the same', async () => {
  const { contract } = await loadCatalogue();
  const service = await startService();
  try {
    const { results, coverage, problems, recomputed } = await evaluateAndVerify(service, {});
    expect(objectionsToEvidence(problems, recomputed)).toEqual([]);
    expect(results.filter(({ outcome }) => !['pass', 'not-applicable'].includes(outcome))).toEqual([]);
    expect(new Set(coverage.map(({ operation }) => operation)).size).toBe(contract.operations.length);
  } finally {
    await service.close();
  }
});
