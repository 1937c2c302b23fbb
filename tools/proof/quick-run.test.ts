import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import { allVariants } from '../../fixtures/variants/all-variants.ts';
import { startVariant } from '../../fixtures/variants/start-variant.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { reevaluate } from '../../harness/engine/verify/reevaluate.ts';
import { evidenceOf, parseEvidence } from '../../harness/evidence/evidence-log-for-tests.ts';
import type { CaseResult } from '../../harness/model/report.ts';
import { usualRequests } from '../../spec/usual-requests.ts';
import { evaluateService } from './evaluate-service.ts';

/** Requests that divide what a service refuses, whichever operations it refuses it at. */
const fewMore = 50;

test('a quick run shares valid calls, and its evidence says the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-quick-'));
  const service = await startService();
  try {
    const evidence = join(folder, 'evidence.har');
    const { results, traffic } = await evaluateService(service, {
      options: { profile: 'quick' },
      evidence,
    });
    expect(traffic.requests).toBeLessThanOrEqual(usualRequests.quick.plain);
    expect(results.filter(({ outcome }) => outcome === 'fail' || outcome === 'inconclusive')).toEqual([]);
    const log = parseEvidence(await readFile(evidence, 'utf8'));
    const shared = log.attempts.flatMap((attempt) => attempt.shared ?? []);
    expect(shared.length).toBeGreaterThan(40);
    const again = await reevaluate(await loadCatalogue(), evidenceOf(log));
    expect(again.objections).toEqual([]);
    expect(said(again.results)).toEqual(said(results));
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test.each([
  'newly-query-is-checked-before-the-key',
  'malformed-slugs-are-refused',
  'malformed-headers-are-refused',
])('%s takes few requests more', async (name) => {
  const variant = allVariants.find((one) => one.name === name);
  if (variant === undefined) throw new Error('there is no such variant');
  const service = await startVariant(variant);
  try {
    const { results, traffic } = await evaluateService(service, { options: { profile: 'quick' } });
    expect(traffic.requests).toBeLessThanOrEqual(usualRequests.quick.plain + fewMore);
    const unnoticed = results.filter(({ message }) => message.includes('in none with query'));
    expect(unnoticed.length > 15).toBe(name.includes('query'));
  } finally {
    await service.close();
  }
});

function said(results: readonly CaseResult[]): readonly string[] {
  return results
    .map(({ operation, check, outcome, message }) => `${operation}/${check}: ${outcome}, ${message}`)
    .sort();
}
