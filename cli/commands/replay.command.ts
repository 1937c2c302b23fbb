import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { defined } from '../../harness/defined.ts';
import type { Replay, ReplayedFinding } from '../../harness/engine/run/replay-finding.ts';
import { Run } from '../../harness/engine/run/run.ts';
import { describeAnswer } from '../../harness/evidence/answer.ts';
import type { CaseResult, Report } from '../../harness/model/report.ts';
import { caseIdOf } from '../../harness/results/case-result.ts';
import { connectionNote, curlLine } from '../../harness/results/curl-line.ts';
import { reproductionScript } from '../../harness/results/fresh-reproductions.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { escapeText } from '../../reporters/model/wording.ts';
import type { CommandFlags } from '../../spec/command-options.ts';
import { type RunFlags, targetOptions } from '../../spec/options.ts';
import type { CommandDefinition } from '../command-list.ts';
import { interruptible, type OnRun } from '../ending-signals.ts';
import { type Settings, withSettings } from '../options/read-settings.ts';
import { readReport, reportFile } from '../read-report.ts';
import { describeTarget } from '../run-target.ts';

const { default: _default, ...withoutDefault } = targetOptions.seed;

type ReplayFlags = RunFlags & CommandFlags<'replay'>;

/** `replay`: sends a finding's exchanges again, and says whether it is still there. */
export const command: CommandDefinition = {
  after: `<finding> is the id of a finding or of a root cause, or a case such as getApiKeyIdentity/auth/invalid-key-is-refused.
Without --base-url or --target the target file of the run is used, or else the base URL of the report with the keys in
COMMERCE_KEY and COMMERCE_KEY_UNSCOPED.
Exit code: 0 fixed, 1 still there, 3 cannot tell.

Examples:
  npx commerce-conformance replay 4f2a91c0
  npx commerce-conformance replay 4f2a --base-url https://next.staging.example.com
  npx commerce-conformance replay 4f2a --script > reproduce.sh && sh reproduce.sh`,
  arguments: [['<finding>']],
  options: { ...targetOptions, seed: { ...withoutDefault, usual: 'that of the report' } },
  run: (id: string, flags: ReplayFlags) => interruptible((onRun) => replay(id, flags, onRun)),
};

async function replay(id: string, given: ReplayFlags, onRun: OnRun): Promise<number> {
  const { report: path, script, ...flags } = given;
  const report = await readReport(path);
  const replayed = findFinding(report, id);
  if (script === true) {
    process.stdout.write(`${reproductionScript(report, replayed.finding)}\n`);
    return 0;
  }
  const folder = dirname(await reportFile(path));
  return withSettings(withTargetOf(report, folder, flags), async (settings) => {
    if (flags.target === undefined && flags.baseUrl === undefined) refuseOtherTarget(report, settings);
    return replayOn(settings, replayed, onRun);
  });
}

async function replayOn(settings: Settings, replayed: Found, onRun: OnRun): Promise<number> {
  const run = await Run.open(settings);
  onRun(run);
  try {
    const { finding, result } = replayed;
    const say = (line: string): void =>
      void process.stdout.write(`${run.context.secrets.redact(escapeText(line, 4000))}\n`);
    const headline = finding.headline ?? finding.message;
    say(`${result.requirement} ${finding.level}  ${result.operation}: ${headline}`);
    say(`asking ${describeTarget(settings)}`);
    return tell(await run.replay(replayed), say, settings);
  } finally {
    await run.close();
  }
}

function tell(replay: Replay, say: (line: string) => void, { target, options }: Settings): number {
  switch (replay.outcome) {
    case 'still-there': {
      const { times, of, exchange } = replay;
      const note = connectionNote(exchange);
      say(`still there: seen in ${times} of ${of} tries, answered ${describeAnswer(exchange)}`);
      say(curlLine(exchange, target.baseUrl, options.curlFlags));
      if (note !== undefined) say(`(${note})`);
      return 1;
    }
    case 'fixed':
      say(`fixed: not seen in ${replay.of} tries`);
      return 0;
    case 'cannot-tell':
      say(`cannot tell: ${replay.reason}${replay.remedy === undefined ? '' : ` (${replay.remedy})`}`);
      return 3;
  }
}

type Found = ReplayedFinding & { readonly result: CaseResult };

/** The finding that an id of any report format names, or the beginning of one. */
function findFinding(report: Report, name: string): Found {
  const id = name.replace(/^#?(?:cause-)?/, '').replace(/(?<=^[0-9a-f]{8})-\d+$/i, '');
  const all = [...report.results, ...(report.additional?.results ?? [])].flatMap((result) =>
    result.findings.map((finding) => ({ result, finding })),
  );
  const ofCause = report.rootCauses?.find((cause) => cause.id === id.toLowerCase())?.findings[0];
  const beginning = ofCause ?? id.toLowerCase();
  const named = all.filter(
    ({ finding, result }) => finding.id.startsWith(beginning) || caseIdOf(result) === id,
  );
  const [first] = named;
  const ids = [...new Set(named.map(({ finding }) => finding.id))];
  if (first !== undefined && (ids.length === 1 || id.includes('/'))) return first;
  const [what, known] =
    first === undefined
      ? [`the report holds no finding ${name}`, all.map(({ finding }) => finding.id)]
      : [`more than one finding begins with ${name}`, ids];
  const remedy = known.length === 0 ? 'it holds none at all' : `one of ${known.slice(0, 8).join(', ')}`;
  throw new UsageError({ where: 'replay', what, remedy });
}

/** The target of the report, unless another is named: its target file, or its base URL where the file is not found. */
function withTargetOf(report: Report, folder: string, flags: RunFlags): RunFlags {
  const given: RunFlags = { ...flags, seed: flags.seed ?? report.run.seed };
  if (given.target !== undefined || given.baseUrl !== undefined || report.target.embedded) return given;
  const { ca, clientCert, clientKey, insecure, unixSocket, http2 } = report.run.options as RunFlags;
  const connection = defined({ ca, clientCert, clientKey, insecure, unixSocket, http2 });
  const flagsOfRun = { ...connection, ...given };
  const target = targetFileOf(report, folder);
  return target === undefined ? { ...flagsOfRun, baseUrl: report.target.baseUrl } : { ...flagsOfRun, target };
}

/** The target file may have changed since the run; its keys are for the target that it names now. */
function refuseOtherTarget(report: Report, { embedded, target, targetFile }: Settings): void {
  if (embedded || target.baseUrl === report.target.baseUrl) return;
  throw new UsageError({
    where: targetFile ?? 'replay',
    what: `names ${target.baseUrl}, and the report ${report.target.baseUrl}`,
    remedy: 'say which one to ask with --base-url or --target',
  });
}

/** The target file of a run, below the working folder or a folder around the report. */
function targetFileOf({ target }: Report, folder: string): string | undefined {
  const { file } = target;
  if (file === undefined || isAbsolute(file) || file.split(/[\\/]/).includes('..')) return undefined;
  const around = [resolve(folder), resolve(folder, '..'), resolve(folder, '../..')];
  return [process.cwd(), ...around].map((base) => join(base, file)).find((path) => existsSync(path));
}
