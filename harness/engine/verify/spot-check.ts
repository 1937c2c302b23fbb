import { randomInt } from 'node:crypto';
import type { SpotCheckResult } from '../../certification/spot-check.ts';
import type { ActiveCheck, Case } from '../../checks/check.ts';
import { defined } from '../../defined.ts';
import type { Evidence } from '../../evidence/read-evidence.ts';
import { groupBy } from '../../group-by.ts';
import type { HeaderList } from '../../model/exchange.ts';
import type { CaseResult, Outcome, Peers, Report } from '../../model/report.ts';
import { caseIdOf } from '../../results/case-result.ts';
import { Semaphore } from '../../semaphore.ts';
import { Run, type RunInput } from '../run/run.ts';
import { repeatRequests } from './repeat-requests.ts';

/** The cases to repeat, and the connection to the target. */
export interface SpotCheckInput extends Pick<RunInput, 'target' | 'options' | 'document'> {
  readonly report: Report;
  readonly evidence: Pick<Evidence, 'exchanges'>;
  /** Cases to repeat; every operation gets at least one. */
  readonly cases: number;
  /** Receives the run before it sends anything; the spot check throws where it interrupts the run. */
  readonly onRun?: (run: Pick<Run, 'interrupt'>) => void;
}

/** What ordinary clients call themselves, by a number of a version. */
const agents: ReadonlyArray<(version: number) => string> = [
  (version) =>
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`,
  (version) => `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`,
  (version) =>
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.${version % 4} Safari/605.1.15`,
  (version) => `okhttp/4.12.${version % 3}`,
  (version) => `python-requests/2.32.${version % 6}`,
  (version) => `axios/1.${version % 14}.0`,
];
const formats = [
  'application/json',
  '*/*',
  'application/json, text/plain, */*',
  'application/json, */*;q=0.8',
];
const languages = [
  'en-US,en;q=0.9',
  'en-GB,en;q=0.7',
  'de-DE,de;q=0.9',
  'fr',
  'es-ES,es;q=0.8,en;q=0.5',
  'ja',
  '',
];

/** The headers of an ordinary client, drawn anew for each spot check: a target must not know it by them. */
function ordinaryClient(): HeaderList {
  const drawn = <T>(all: readonly T[]): T => all[randomInt(all.length)] as T;
  const language = drawn(languages);
  return [
    ['user-agent', drawn(agents)(randomInt(120, 150))],
    ['accept', drawn(formats)],
    ...(language === '' ? [] : [['accept-language', language] as const]),
  ];
}

/** Outcomes that a spot check can confirm. */
const conclusive: ReadonlySet<Outcome> = new Set(['pass', 'warn']);
/** Cases, and requests, under way at once: some faults do not show in one alone, and fewer than in a run come in another order. */
const atOnce = (): number => randomInt(2, 5);
/** The most recorded requests that are sent again as they were. */
const mostVerbatim = 20;

/** Repeats a random sample of recorded cases as an ordinary client would, and compares the outcomes. */
export async function spotCheck(input: SpotCheckInput): Promise<SpotCheckResult> {
  const { target, options, document, report, evidence, cases } = input;
  const started = new Date();
  const run = await Run.open({
    target,
    options: {
      ...options,
      seed: randomInt(2 ** 47),
      concurrency: atOnce(),
      certify: false,
      strict: false,
    },
    ...defined({ document }),
    disguise: ordinaryClient(),
  });
  const recorded = new Map(report.results.map((one) => [caseIdOf(one), one]));
  input.onRun?.(run);
  try {
    const repeatable = run.plan.active.filter(({ id }) =>
      conclusive.has(recorded.get(id)?.outcome ?? 'error'),
    );
    const sample = sampleOf(repeatable, cases);
    const chosen = new Set(sample.map(({ id }) => id));
    for (const planned of run.plan.active) if (!chosen.has(planned.id)) run.context.budget.done(planned.id);
    const places = new Semaphore(atOnce());
    const active = await Promise.all(sample.map((one) => places.run(() => run.runCase(one))));
    const verbatim = await repeatRequests(run, evidence, mostVerbatim);
    const passive = await run.conclude();
    if (run.context.interruption.isRequested) throw new Error('interrupted');
    // One that no longer applies confirms nothing.
    const repeated = active.filter(({ outcome }) => outcome === 'fail' || conclusive.has(outcome));
    const reached = new Set(repeated.map(({ operation }) => operation));
    const unreached = new Map(
      active.filter(({ operation }) => !reached.has(operation)).map((one) => [one.operation, one.message]),
    );
    const differences = [
      ...[...active, ...passive].flatMap((live) => differenceOf(live, recorded.get(caseIdOf(live)))),
      ...verbatim.differences,
      ...[...unreached].map(([operation, why]) => `${operation}: no case could be repeated: ${why}`),
    ];
    return {
      baseUrl: target.baseUrl,
      startedAt: started.toISOString(),
      durationMs: Date.now() - started.getTime(),
      repeated: repeated.length,
      unrepeated: active.length - repeated.length,
      operations: reached.size,
      verbatim: verbatim.repeated,
      peers: run.context.client.peers,
      remarks: peerRemarks(report.target.peers, run.context.client.peers),
      requests: run.observation.progress().traffic.requests,
      differences: differences.map((text) => run.context.secrets.redact(text)),
      passed: differences.length === 0 && repeated.length > 0,
    };
  } finally {
    await run.close();
  }
}

/** Differences between the servers of a run and of its spot check; they may have a reason, so that the owner decides. */
function peerRemarks(before: Peers | undefined, now: Peers): readonly string[] {
  const shown = ({ addresses, certificates }: Peers): ReadonlyArray<readonly [string, readonly string[]]> => [
    ['addresses', addresses],
    ['server certificates', certificates.map(({ sha256 }) => sha256)],
  ];
  const recorded = shown(before ?? { addresses: [], certificates: [] });
  return shown(now).flatMap(([name, names], at) => {
    const [was, is] = [recorded[at]?.[1] ?? [], names].map((some) => some.toSorted().join(', ') || 'none');
    return was === is ? [] : [`${name}: recorded ${was}, now ${is}`];
  });
}

/** A random sample in random order, which has every operation at least once; cases that must come last stay last. */
function sampleOf(cases: ReadonlyArray<Case<ActiveCheck>>, count: number): ReadonlyArray<Case<ActiveCheck>> {
  const shuffled = shuffle(cases);
  const each = [...groupBy(shuffled, ({ operation }) => operation.id).values()].flatMap(([one]) => one ?? []);
  const others = shuffled.filter((one) => !each.includes(one));
  const sample = shuffle([...each, ...others.slice(0, Math.max(0, count - each.length))]);
  const isLast = ({ check }: Case<ActiveCheck>): boolean => check.stage === 'last';
  return sample.sort((a, b) => Number(isLast(a)) - Number(isLast(b)));
}

/** A random order from the system's generator, which a service cannot predict. */
function shuffle<T>(list: readonly T[]): T[] {
  const drawn = list.map((one) => ({ one, place: randomInt(2 ** 47) }));
  return drawn.sort((a, b) => a.place - b.place).map(({ one }) => one);
}

function differenceOf(live: CaseResult, recorded: CaseResult | undefined): readonly string[] {
  const before = recorded?.outcome;
  const isWorse =
    (live.outcome === 'fail' && before !== 'fail') ||
    (live.outcome === 'warn' && before !== 'warn' && before !== 'fail');
  if (!isWorse) return [];
  const [finding] = live.findings;
  const what = finding === undefined ? live.message : `${finding.message}: ${finding.actual}`;
  const outcomes = `recorded ${before ?? 'nothing'}, now ${live.outcome}`;
  return [`${caseIdOf(live)} (${live.requirement}): ${outcomes}: ${what}`.slice(0, 1_900)];
}
