import { join, resolve } from 'node:path';
import type { Catalogue } from '../../harness/checks/catalogue.ts';
import type { Plan } from '../../harness/engine/run/plan.ts';
import { partOfPlan } from '../../harness/engine/run/plan-run.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { describeSlowdown, paceInWords, refusersInWords } from '../../reporters/model/slowdown.ts';
import { createProgress } from '../../reporters/terminal/progress.ts';
import { optionTable, type RunFlags, reportOptions, runOptions, targetOptions } from '../../spec/options.ts';
import { readCertification } from '../certification.ts';
import type { CommandDefinition } from '../command-list.ts';
import { EndingSignals } from '../ending-signals.ts';
import { changedHostWarning, inGithubActions } from '../github-actions.ts';
import { chosenViews } from '../options/chosen-formats.ts';
import { planSettings, readSettings, type Settings } from '../options/read-settings.ts';
import { baselineOf, type Publication, preparePublication, publish } from '../publish-report.ts';
import { evidenceName } from '../report-folder/report-dir.ts';
import { RunPace } from '../run-pace.ts';
import { describeTarget, type Evaluated, evaluate, type RunObserver } from '../run-target.ts';
import { withShard } from '../sharding.ts';
import { terminalOf } from '../terminal.ts';

/** Milliseconds of throttling before a run mentions it. */
const noticeableMs = 2_000;
/** Milliseconds between two messages about a throttled run. */
const betweenHintsMs = 60_000;

/** `run`: preflight, cases, report, verdict. */
export const command: CommandDefinition = {
  after: `Examples:
  npx commerce-conformance run
  npx commerce-conformance run --target target.yaml --strict
  npx commerce-conformance run --target target.yaml --format junit,markdown
  npx commerce-conformance run --target target.yaml --baseline baseline.yaml
  COMMERCE_KEY=… COMMERCE_KEY_UNSCOPED=… npx commerce-conformance run --base-url https://staging.example.com`,
  options: { ...targetOptions, ...reportOptions, ...runOptions },
  run,
};

async function run(flags: RunFlags): Promise<number> {
  const unsharded = await readSettings(flags);
  const { given } = unsharded;
  const reportDir = resolve((given['reportDir'] as string | undefined) ?? optionTable.reportDir.default);
  const colours = flags.color !== false && given['noColor'] !== true;
  const quiet = given['quiet'] === true;
  const signals = new EndingSignals();
  try {
    if (inGithubActions() && typeof flags.target === 'string') {
      process.stdout.write((await changedHostWarning(flags.target, process.env)) ?? '');
    }
    const views = chosenViews(flags.format, given['format'], inGithubActions());
    const { catalogue, whole, sending } = await planSettings(unsharded);
    const sharded = withShard(unsharded, whole, {
      evidence: flags.evidence !== false,
      flag: flags.shard !== undefined,
    });
    const certification = await readCertification(flags, {
      ...sharded,
      contract: catalogue.contract,
      unixSocket: sharded.options.unixSocket,
    });
    const { derived } = certification ?? {};
    const options = derived === undefined ? sharded.options : { ...sharded.options, seed: derived.seed };
    const settings = { ...sharded, options };
    refuseUnnamedTarget(given['baseline'], unsharded);
    const baseline = await baselineOf(given['baseline'], options.certify);
    const plan = partOfPlan(whole, options.shard, sending);
    const evidencePath = flags.evidence !== false ? join(reportDir, evidenceName) : undefined;
    const publication = {
      reportDir,
      targetFile: typeof flags.target === 'string' ? flags.target : undefined,
      views,
      baseline,
      certification,
      evidencePath,
      colours,
      quiet,
    };
    return await publish(publication, signals, () =>
      evaluateWithProgress(catalogue, plan, settings, publication, {
        evidence: evidencePath,
        runId: derived?.id,
        onStart: () => preparePublication(views),
        onInterrupt: (interrupt) => {
          signals.interrupt = interrupt;
        },
      }),
    );
  } finally {
    await unsharded.release();
    signals.release();
  }
}

/** A gate without a target would test the embedded service and pass every release. */
function refuseUnnamedTarget(baseline: unknown, { embedded }: Settings): void {
  if (baseline === undefined || !embedded) return;
  throw new UsageError({
    where: '--baseline',
    what: 'without a target, the run would test the embedded reference service',
    remedy: 'name the service that you gate: --target FILE or --base-url URL',
  });
}
async function evaluateWithProgress(
  catalogue: Catalogue,
  plan: Plan,
  settings: Settings,
  { colours, quiet }: Pick<Publication, 'colours' | 'quiet'>,
  observer: Omit<RunObserver, 'onProgress'>,
): Promise<Evaluated> {
  const pace = new RunPace();
  let slowedSince: number | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;
  const progress = createProgress(process.stderr, {
    tty: process.stderr.isTTY === true && !quiet,
    colour: terminalOf(process.stderr, colours).colour,
  });
  if (!quiet) progress.line(`Testing ${describeTarget(settings)}`);
  const evaluated = await evaluate(catalogue, plan, settings, {
    ...observer,
    onProgress: (state) => {
      if (quiet) return;
      const { casesDone, requests, headway } = state;
      const { refusals = {}, requestsLeft = 0, waiting } = headway ?? {};
      const at = performance.now();
      const refused = Object.values(refusals).reduce((sum, count) => sum + count, 0);
      pace.note({ at, served: requests - refused, requestsLeft });
      const { perSecond = 0, leftMs } = pace;
      slowedSince = waiting === undefined ? undefined : (slowedSince ?? at);
      const isSlowed = slowedSince !== undefined && at - slowedSince > noticeableMs;
      progress.update({
        ...state,
        phase: isSlowed
          ? `slowed by ${refusersInWords(refusals)}`
          : casesDone === 0
            ? 'reaching the target'
            : 'testing',
        ...(isSlowed && { pace: paceInWords(perSecond) }),
        ...(leftMs === undefined ? {} : { etaMs: leftMs }),
      });
      if (!isSlowed || at - toldAt < betweenHintsMs) return;
      toldAt = at;
      progress.line(describeSlowdown(refusals, perSecond, waiting ?? []));
    },
  });
  progress.end();
  return evaluated;
}
