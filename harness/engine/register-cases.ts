import { beforeAll, describe, type TestContext, test } from 'vitest';
import type { Case } from '../checks/case.ts';
import type { ActiveCheck } from '../checks/check.ts';
import type { CaseResult } from '../model/report.ts';
import { currentRun, withoutSecrets } from './current-run.ts';

/** No case waits for ever: requests, retries and pauses are all bounded. This only catches a defect of the harness. */
const timeout = 15 * 60_000;

/** Registers one test for each active case of the checks in one area, run concurrently under the shared governor. */
export function registerCases(area: string): Promise<void> {
  return register(area, ({ check }) => check.area === area && check.last !== true);
}

/** Registers one test for each case of the checks that run when all others are done. */
export function registerLastCases(): Promise<void> {
  return register('last', ({ check }) => check.last === true);
}

async function register(name: string, isMine: (planned: Case<ActiveCheck>) => boolean): Promise<void> {
  const run = await currentRun();
  const mine = run.plan.active.filter(isMine);
  describe.concurrent(name, () => {
    for (const planned of mine) {
      test(`${planned.requirement.id} ${planned.operation.id}: ${planned.check.title}`, {
        timeout,
      }, async (context) => {
        conclude(context, withoutSecrets(run, await run.runCase(planned)));
      });
    }
  });
  if (mine.length === 0) describe.skip(`${name} (nothing planned)`, () => test('none', () => undefined));
}

/** Registers one test for each passive and collective case, and the one that closes the run; must come after all other suites. */
export async function registerPassiveCases(): Promise<void> {
  const run = await currentRun();
  const universal = [...run.plan.passive, ...run.plan.collective];
  describe('universal', () => {
    let results: ReadonlyMap<string, CaseResult> = new Map();
    let rest: readonly CaseResult[] = [];
    beforeAll(async () => {
      const concluded = withoutSecrets(run, await run.conclude());
      const passive = new Set(universal.map(({ id }) => id));
      results = new Map(concluded.map((result) => [`${result.operation}/${result.check}`, result]));
      rest = concluded.filter((result) => !passive.has(`${result.operation}/${result.check}`));
    }, timeout);
    for (const planned of universal) {
      test(`${planned.requirement.id} ${planned.operation.id}: ${planned.check.title}`, (context) => {
        const result = results.get(planned.id);
        if (result === undefined) throw new Error(`the run was concluded without a word on ${planned.id}`);
        conclude(context, result);
      });
    }
    test('the run is closed', async ({ task }) => {
      task.meta.closing = withoutSecrets(run, {
        preflight: await run.preflight(),
        protocol: run.protocol,
        died: run.died,
        results: rest,
        coverage: run.coverage(),
        traffic: run.traffic(),
        shapes: run.shapes(),
        evidence: run.finishEvidence(),
      });
      await run.close();
    });
  });
}

function conclude(
  { task, skip, annotate }: Pick<TestContext, 'task' | 'skip' | 'annotate'>,
  result: CaseResult,
): void {
  task.meta.result = result;
  if (result.outcome === 'inconclusive' || result.outcome === 'not-applicable') {
    skip(result.remedy === undefined ? result.message : `${result.message} (${result.remedy})`);
  }
  if (result.outcome === 'warn') void annotate(result.message, 'warning');
  if (result.outcome === 'fail' || result.outcome === 'error') {
    const [finding] = result.findings;
    const lines =
      finding === undefined
        ? [result.message]
        : [
            `${result.requirement} ${finding.level}  ${result.operation}: ${finding.message}`,
            `expected ${finding.expected}, got ${finding.actual}`,
            `contract: ${finding.contract}`,
            finding.reproduction,
          ];
    const failure = new Error(lines.join('\n'));
    // Where in the harness it was thrown says nothing about the target.
    failure.stack = '';
    throw failure;
  }
}
