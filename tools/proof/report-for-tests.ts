import type { RunningService } from '../../fixtures/reference-service/start-service.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { harnessIdentity } from '../../harness/model/identity.ts';
import { assembleReport } from '../../harness/results/assemble-report.ts';
import type { Report } from '../../harness/model/report.ts';
import { defaultOptions, type RunOptions } from '../../harness/model/run-options.ts';
import { judgeService } from './evaluate-service.ts';

/** Judges a service within this process and closes it; gives the report as a run would write it. */
export async function reportOf(service: RunningService, options: Partial<RunOptions> = {}): Promise<Report> {
  const { contract } = await loadCatalogue();
  try {
    const judged = await judgeService(service, { options });
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
      ...judged,
      shortfall: { interrupted: false, filtered: false },
    });
    return JSON.parse(JSON.stringify(report)) as Report;
  } finally {
    await service.close();
  }
}
