import type { RunningService } from '../fixtures/service/start-service.ts';
import { loadCatalogue } from '../harness/checks/catalogue.ts';
import type { SuppliedDocument } from '../harness/document/supplied-document.ts';
import type { CaseResult, Traffic } from '../harness/report/report.ts';
import { Run } from '../harness/running/run.ts';
import { defaultOptions, type RunOptions } from '../harness/running/run-options.ts';
import { targetFromObject } from '../harness/target/target-from-object.ts';

/** What a whole run says of a service. */
export interface Judged {
  readonly results: readonly CaseResult[];
  readonly traffic: Traffic;
}

/** Cases under way at once. */
const casesAtOnce = 16;

/** Runs every case against a service within this process, without vitest; the service is left running. */
export async function judgeService(
  service: RunningService,
  options: Partial<RunOptions>,
  document?: SuppliedDocument,
): Promise<Judged> {
  const { contract } = await loadCatalogue();
  const target = targetFromObject(service.target, 'the service under proof', contract);
  const run = await Run.open({
    target,
    options: { ...defaultOptions, ...options },
    ...(document && { document }),
  });
  try {
    await run.preflight();
    const waiting = [...run.plan.active];
    const results: CaseResult[] = [];
    await Promise.all(
      Array.from({ length: casesAtOnce }, async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          results.push(await run.runCase(next));
        }
      }),
    );
    results.push(...(await run.conclude()));
    return { results, traffic: run.traffic() };
  } finally {
    await run.close();
  }
}
