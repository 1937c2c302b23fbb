import { expect, test } from 'vitest';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { evaluateService } from './evaluate-service.ts';

test('the reference service conforms', async () => {
  const { contract } = await loadCatalogue();
  const service = await startService();
  try {
    const { results, coverage } = await evaluateService(service, { options: {} });
    expect(results.filter(({ outcome }) => !['pass', 'not-applicable'].includes(outcome))).toEqual([]);
    expect(new Set(coverage.map(({ operation }) => operation)).size).toBe(contract.operations.length);
  } finally {
    await service.close();
  }
});
