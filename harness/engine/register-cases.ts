import { beforeAll, describe, type TestContext, test } from 'vitest';
import type { Case } from '../checks/case.ts';
import type { ActiveCheck } from '../checks/check.ts';
import type { CaseResult } from '../model/report.ts';
import { currentRun, withoutSecrets } from './current-run.ts';
import type { Plan } from './plan.ts';
import { stagesOf } from './schedule.ts';

/** Catches defects of the harness only: requests, retries and pauses are all bounded. */
const timeout = 15 * 60_000;

/** Registers one test for each case of the first stage; they run one after another. */
export function registerFirstCases(): Promise<void> {
  return register('first', (plan) => stagesOf(plan).first, describe);
}

/** Registers one test for each case of one area in the main stage; they run concurrently. */
export function registerCases(area: string): Promise<void> {
  return register(area, (plan) => stagesOf(plan).main.filter(({ check }) => check.area === area));
}

/** Registers one test for each case of the last stage. */
export function registerLastCases(): Promise<void> {
  return register('last', (plan) => stagesOf(plan).last);
}

async function register(
  name: string,
  casesOf: (plan: Plan) => ReadonlyArray<Case<ActiveCheck>>,
  group: typeof describe | typeof describe.concurrent = describe.concurrent,
): Promise<void> {
  const run = await currentRun();
  const mine = casesOf(run.plan);
  if (mine.length === 0) {
    describe.skip(`${name} (nothing planned)`, () => test('none', () => undefined));
    return;
  }
  group(name, () => {
    for (const planned of mine) {
      test(`${planned.requirement.id} ${planned.operation.id}: ${planned.check.title}`, {
        timeout,
      }, async (context) => {
        conclude(context, withoutSecrets(run, await run.runCase(planned)));
      });
    }
  });
}

/** Registers one test for each passive and collective case, and one that closes the run; must come after all other suites. */
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
        if (result === undefined) throw new Error(`the run ended without a result of ${planned.id}`);
        conclude(context, result);
      });
    }
    test('the run is closed', async ({ task }) => {
      task.meta.closing = withoutSecrets(run, {
        preflight: await run.preflight(),
        protocol: run.protocol,
        peers: run.peers,
        died: run.died,
        slowed: run.slowed(),
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
    // Reporters tell a failed expectation from a defect of the harness by it.
    if (result.outcome === 'fail') failure.name = 'AssertionError';
    // A stack inside the harness says nothing about the target.
    failure.stack = '';
    throw failure;
  }
}
