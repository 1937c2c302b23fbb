import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningService, startService } from '../../fixtures/reference-service/start-service.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { defaultOptions } from '../../harness/target/default-options.ts';
import { usualRequests } from '../../spec/usual-requests.ts';
import { unplanned } from '../../suites/step-counts-for-tests.ts';
import { evaluateAndVerify } from './evaluate-service.ts';
import { objectionsToEvidence } from './prove.ts';

/** The profiles whose whole runs are tested, each in a file of its own tier. */
type WholeRun = 'quick' | 'standard';

/** Tests a whole run against the reference service, and what its evidence says. */
export function testWholeRun(profile: WholeRun): void {
  const options = { ...defaultOptions, profile };

  // One run for all of them: it takes longer than most files of tests.
  describe(`a ${profile} run against the reference service`, () => {
    let service: RunningService;
    let evaluated: Awaited<ReturnType<typeof evaluateAndVerify>>;
    const sent: Exchange[] = [];

    beforeAll(async () => {
      service = await startService();
      evaluated = await evaluateAndVerify(service, { profile }, (exchange) => sent.push(exchange));
    });
    afterAll(() => service.close());

    test('finds that it conforms, at every operation', async () => {
      const { contract } = await loadCatalogue();
      const { results, coverage } = evaluated;
      expect(results.filter(({ outcome }) => !['pass', 'not-applicable'].includes(outcome))).toEqual([]);
      expect(new Set(coverage.map(({ operation }) => operation)).size).toBe(contract.operations.length);
    });

    test('writes evidence that says the same', () => {
      const { problems, recomputed } = evaluated;
      expect(objectionsToEvidence(problems, recomputed)).toEqual([]);
    });

    test('sends as many requests as help and pages say', () => {
      expect(evaluated.traffic.requests / usualRequests[profile].plain).toBeCloseTo(1, 1);
    });

    test('sends what the plan says, each request by a step', async () => {
      const { excess, stray, steps } = await unplanned(sent, options);
      expect({ excess, stray }).toEqual({ excess: [], stray: [] });
      expect(steps).toBeGreaterThan(profile === 'quick' ? 30 : 50);
    });
  });
}
