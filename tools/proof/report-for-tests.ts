import type { RunningService } from '../../fixtures/reference-service/start-service.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { harnessIdentity } from '../../harness/identity.ts';
import type { Report } from '../../harness/model/report.ts';
import type { RunOptions } from '../../harness/model/run-options.ts';
import { assembleReport } from '../../harness/results/assemble-report.ts';
import { defaultOptions } from '../../harness/target/default-options.ts';
import { evaluateService } from './evaluate-service.ts';

/** Tests a service within this process and closes it; returns the report of a run. */
export async function reportOf(service: RunningService, options: Partial<RunOptions> = {}): Promise<Report> {
  const { contract } = await loadCatalogue();
  try {
    const evaluated = await evaluateService(service, { options });
    const report = assembleReport({
      harness: harnessIdentity,
      contract,
      baseUrl: service.baseUrl,
      embedded: true,
      discovered: [],
      startedAt: '2026-11-01T00:00:00.000Z',
      durationMs: 1,
      seed: options.seed ?? defaultOptions.seed,
      options: {},
      ...evaluated,
      shortfall: { interrupted: false, filtered: false },
    });
    return JSON.parse(JSON.stringify(report)) as Report;
  } finally {
    await service.close();
  }
}
