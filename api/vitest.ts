import { afterAll, beforeAll, describe, type TestContext, test, vi } from 'vitest';
import { planSettings, readSettings, type Settings } from '../cli/options/read-settings.ts';
import type { ActiveCheck, Case, Check } from '../harness/checks/check.ts';
import { Run } from '../harness/engine/run/run.ts';
import { casesAtOnce, stagesOf } from '../harness/engine/run/schedule.ts';
import { withoutSecrets } from '../harness/engine/run/without-secrets.ts';
import type { CaseResult, Finding } from '../harness/model/report.ts';
import { UsageError } from '../harness/usage-error.ts';
import { labelsOf, nameOf } from '../reporters/allure/render-allure.ts';
import { quoted } from '../reporters/model/replay-command.ts';
import { plural } from '../reporters/model/wording.ts';
import { type ConformanceOptions, flagsOf } from './run-conformance.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Set by every test of a case. */
    result?: CaseResult;
    /** The metadata that the reporter of allure-vitest reads. */
    allureSkip?: boolean;
    allureRuntimeMessages?: readonly unknown[];
  }
}

/** Milliseconds; catches defects of the harness only, as requests, retries and pauses are all bounded. */
const timeout = 15 * 60_000;

/**
 * Registers a test for each case of a run with these options in the test file that awaits it. Throws a
 * UsageError for mistakes in its arguments.
 */
export async function conformance(
  given: Pick<ConformanceOptions, 'target' | 'baseUrl' | 'checks' | 'options'> = {},
): Promise<void> {
  const { run, settings } = await open(given).catch((error: unknown) => {
    // The stack trace of a usage error does not help the user.
    if (error instanceof UsageError) error.stack = '';
    throw error;
  });
  vi.setConfig({ maxConcurrency: casesAtOnce });
  const { secrets } = run.context;

  const register = (cases: ReadonlyArray<Case<ActiveCheck>>): void => {
    for (const planned of cases)
      test(nameOfTest(planned), { timeout }, async (context) =>
        conclude(context, withoutSecrets(secrets, await run.runCase(planned)), settings),
      );
  };
  // Tests that vitest may run at once are those of neighbouring groups as well: a stage is a group within another.
  for (const [stage, cases] of stagesOf(run.plan))
    describe(stage, () => {
      if (stage === 'first') register(cases);
      else describe.concurrent('stage', () => register(cases));
    });
  describe('all responses', () => {
    const results = new Map<string, CaseResult>();
    beforeAll(async () => {
      for (const result of withoutSecrets(secrets, await run.conclude()))
        results.set(`${result.operation}/${result.check}`, result);
    }, timeout);
    for (const planned of [...run.plan.passive, ...run.plan.collective])
      test(nameOfTest(planned), (context) => {
        const result = results.get(planned.id);
        if (result === undefined) throw new Error(`the run ended without a result for ${planned.id}`);
        conclude(context, result, settings);
      });
  });
  afterAll(async () => {
    await run.close();
    await settings.release();
  }, timeout);
}

async function open(given: ConformanceOptions): Promise<{ readonly run: Run; readonly settings: Settings }> {
  const settings = await readSettings(await flagsOf(given));
  const { target, options, document, customChecks } = settings;
  await planSettings(settings);
  const run = await Run.open({ target, options, customChecks, ...(document && { document }) });
  return { run, settings };
}

function nameOfTest({ requirement, operation, check }: Case<Check>): string {
  return `${requirement.id} ${operation.id}: ${check.title}`;
}

function conclude({ task, skip, annotate }: TestContext, result: CaseResult, settings: Settings): void {
  const { meta } = task;
  meta.result = result;
  if (result.outcome === 'not-applicable') meta.allureSkip = true;
  else
    meta.allureRuntimeMessages = [
      { type: 'metadata', data: { displayName: nameOf(result), labels: labelsOf(result) } },
    ];
  if (result.outcome === 'inconclusive' || result.outcome === 'not-applicable')
    skip(result.remedy === undefined ? result.message : `${result.message} (${result.remedy})`);
  if (result.outcome === 'warn') void annotate(result.message, 'warning');
  if (result.outcome === 'fail' || result.outcome === 'error') throw failureOf(result, settings);
}

function failureOf(result: CaseResult, settings: Settings): Error {
  const [finding] = result.findings;
  const lines =
    finding === undefined
      ? [result.message]
      : [
          `${result.requirement} ${finding.level}  ${result.operation}: ${finding.message}`,
          `expected ${finding.expected}, got ${finding.actual}`,
          `fix: ${finding.fix}`,
          `contract: ${finding.contract}`,
          `seen in ${finding.seen.times} of ${plural(finding.seen.of, 'try', 'tries')} · seed ${settings.options.seed} · finding ${finding.id}`,
          ...(finding.steps === undefined ? [finding.reproduction] : []),
          replayLine(finding, result, settings),
        ];
  const failure = new Error(lines.join('\n'));
  // Reporters distinguish a failed expectation from a defect of the harness by it.
  if (result.outcome === 'fail') failure.name = 'AssertionError';
  // A stack inside the harness says nothing about the target.
  failure.stack = '';
  return failure;
}

/** A replay needs a report, which the command writes. */
function replayLine(
  { id, steps }: Finding,
  { operation }: CaseResult,
  { embedded, targetFile, target }: Settings,
): string {
  const given = targetFile === undefined ? ['--base-url', target.baseUrl] : ['--target', targetFile];
  const flags = [...(embedded ? [] : given), '--operation', operation].map(quoted).join(' ');
  const replay = `replay ${id}${steps === undefined ? '' : ' --script | sh'}`;
  return `npx commerce-conformance run ${flags}; npx commerce-conformance ${replay}`;
}
