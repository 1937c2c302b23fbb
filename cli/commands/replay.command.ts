import type { Command } from 'commander';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import type { Replay, ReplayedFinding } from '../../harness/engine/replay.ts';
import { describeAnswer } from '../../harness/evidence/answer.ts';
import type { Report } from '../../harness/model/report.ts';
import { curlLine } from '../../harness/results/curl-line.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { escapeText } from '../../reporters/model/escape.ts';
import { describeTarget } from '../options/connection.ts';
import { addTargetFlags, readSettings, type Settings, type TargetFlags } from '../options/target-flags.ts';
import { readReport } from '../read-report.ts';
import type { SetExitCode } from '../set-exit-code.ts';

interface ReplayFlags extends TargetFlags {
  readonly report: string;
}

/** `replay`: sends a finding's exchanges again, and says whether it is still there. */
export function addReplayCommand(program: Command, setExitCode: SetExitCode): void {
  addTargetFlags(
    program
      .command('replay <finding>')
      .description("send a finding's exchanges again, here or elsewhere: still there, fixed, or cannot tell")
      .option('--report <file>', 'report.json that holds the finding, or its folder', 'conformance-report'),
  )
    .addHelpText(
      'after',
      `
Without --base-url or --target the target of the report is asked again. Keys and known values are taken from where run takes them.
Exit code: 0 fixed, 1 still there, 3 cannot tell.

Examples:
  commerce-conformance replay 4f2a91c0 --target target.yaml
  commerce-conformance replay 4f2a --base-url https://next.staging.example.com`,
    )
    .action(async (id: string, flags: ReplayFlags) => {
      setExitCode(await replay(id, flags));
    });
}

async function replay(id: string, { report: path, ...flags }: ReplayFlags): Promise<number> {
  const report = await readReport(path);
  const replayed = findFinding(report, id);
  const { contract } = await loadCatalogue();
  const settings = await readSettings(withTargetOf(report, flags), contract);
  const { Run } = await import('../../harness/engine/run.ts');
  const run = await Run.open(settings);
  try {
    const { requirement, finding } = replayed;
    const say = (line: string): void => void process.stdout.write(`${run.redact(escapeText(line, 4000))}\n`);
    say(`${requirement} ${finding.level}  ${replayed.result.operation}: ${finding.message}`);
    say(`asking ${describeTarget(settings)}`);
    const outcome = await run.replay(replayed);
    return tell(outcome, say, settings);
  } finally {
    await run.close();
    await settings.release();
  }
}

function tell(
  replay: Replay,
  say: (line: string) => void,
  { target, options }: Pick<Settings, 'target' | 'options'>,
): number {
  switch (replay.outcome) {
    case 'still-there':
      say(
        `still there: seen in ${replay.times} of ${replay.of} tries, answered ${describeAnswer(replay.exchange)}`,
      );
      say(curlLine(replay.exchange, target.baseUrl, options.curlFlags));
      return 1;
    case 'fixed':
      say(`fixed: not seen in ${replay.of} tries`);
      return 0;
    case 'cannot-tell':
      say(`cannot tell: ${replay.reason}${replay.remedy === undefined ? '' : ` (${replay.remedy})`}`);
      return 3;
  }
}

/** The finding with this id, or the only one whose id begins so. */
function findFinding(report: Report, id: string): ReplayedFinding & { readonly requirement: string } {
  const all = [...report.results, ...(report.additional?.results ?? [])].flatMap((result) =>
    result.findings.map((finding) => ({ result, finding })),
  );
  const named = all.filter(({ finding }) => finding.id.startsWith(id.toLowerCase()));
  const [first] = named;
  const ids = [...new Set(named.map(({ finding }) => finding.id))];
  if (first !== undefined && ids.length === 1) return { ...first, requirement: first.result.requirement };
  throw new UsageError({
    where: 'replay',
    what:
      first === undefined ? `the report holds no finding ${id}` : `more than one finding begins with ${id}`,
    remedy:
      all.length === 0
        ? 'it holds none at all'
        : `one of ${(first === undefined ? all.map(({ finding }) => finding.id) : ids).slice(0, 8).join(', ')}`,
  });
}

/** The target of the report, unless another is named. */
function withTargetOf(report: Report, flags: TargetFlags): TargetFlags {
  const given: TargetFlags = { ...flags, seed: flags.seed ?? report.run.seed };
  if (given.target !== undefined || given.baseUrl !== undefined || report.target.embedded) return given;
  const { ca, clientCert, clientKey, insecure, unixSocket, http2 } = report.run.options as TargetFlags;
  const connection = { ca, clientCert, clientKey, insecure, unixSocket, http2 };
  const known = Object.entries(connection).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(known), ...given, baseUrl: report.target.baseUrl };
}
