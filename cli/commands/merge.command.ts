import { dirname, join, resolve } from 'node:path';
import { catalogueDigest, loadCatalogue } from '../../harness/checks/catalogue.ts';
import { type FinishedShard, mergeShards } from '../../harness/engine/shards/merge-shards.ts';
import {
  evidenceProblems,
  type NamedReport,
  shardProblems,
} from '../../harness/engine/shards/shard-problems.ts';
import { bytesOfFile, digestOfFile } from '../../harness/evidence/byte-source.ts';
import { EvidenceFormatError, readEvidence } from '../../harness/evidence/read-evidence.ts';
import { OtherFormatVersion } from '../../harness/format-version.ts';
import { harnessIdentity } from '../../harness/identity.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { optionTable, type RunFlags, reportedOptions, reportOptions } from '../../spec/options.ts';
import { readCertification } from '../certification.ts';
import type { CommandDefinition } from '../command-list.ts';
import { EndingSignals } from '../ending-signals.ts';
import { inGithubActions } from '../github-actions.ts';
import { chosenViews } from '../options/chosen-formats.ts';
import { baselineOf, publish } from '../publish-report.ts';
import { readReport, reportFile } from '../read-report.ts';
import { evidenceName } from '../report-folder/report-dir.ts';

interface Named extends NamedReport {
  readonly folder: string;
  readonly evidence: string;
}

/** `merge`: one report of those of all shards. */
export const command: CommandDefinition = {
  after: `Each folder must hold report.json and evidence.har as run --shard wrote them. Exit codes are those of run.

Example:
  npx commerce-conformance run --target target.yaml --shard 1/2 --report-dir shards/1
  npx commerce-conformance run --target target.yaml --shard 2/2 --report-dir shards/2
  npx commerce-conformance merge shards/1 shards/2`,
  arguments: [['<reports...>', 'the report.json of every shard, or the folders that hold them']],
  options: reportOptions,
  run: merge,
};

async function merge(paths: readonly string[], flags: RunFlags): Promise<number> {
  const catalogue = await loadCatalogue();
  const { certify = false } = flags;
  const reportDir = resolve(flags.reportDir ?? optionTable.reportDir.default);
  const views = chosenViews(flags.format, undefined, inGithubActions());
  const baseline = await baselineOf(flags.baseline, certify);
  const named = await Promise.all(
    paths.map(async (name): Promise<Named> => {
      const folder = dirname(await reportFile(name));
      return { name, report: await readReport(name), folder, evidence: join(folder, evidenceName) };
    }),
  );
  refuse(shardProblems(named, harnessIdentity, catalogue.contract.digest));
  for (const { name, folder } of named) {
    if (resolve(folder) !== reportDir) continue;
    throw new UsageError({
      where: '--report-dir',
      what: `${reportDir} is the folder of ${name}, which would be lost`,
      remedy: 'name another folder',
    });
  }
  const shards = await openAll(named);
  // Until the report is written, a signal ends the process, which leaves nothing behind.
  const signals = new EndingSignals();
  try {
    const runs = shards.map(({ evidence }, at) => ({ name: named[at]?.name ?? '', run: evidence.run }));
    refuse(evidenceProblems(runs, catalogueDigest(catalogue)));
    const [first] = shards;
    const given = givenOf(first.report.run.options, flags);
    const { options, target } = first.evidence.run;
    const certification = await readCertification(flags, {
      options: { ...options, shard: undefined, certify },
      target,
      contract: catalogue.contract,
      given,
      shards: shards.length,
      embedded: first.report.target.embedded,
      unixSocket: first.report.target.connection?.unixSocket,
    });
    const evidencePath = join(reportDir, evidenceName);
    const { color: colours = true, quiet = false } = flags;
    const publication = { reportDir, views, baseline, certification, evidencePath, colours, quiet };
    return await publish(publication, signals, () =>
      formatChecked(evidenceName, () =>
        mergeShards(shards, { catalogue, path: evidencePath, given, certify }),
      ),
    );
  } finally {
    signals.release();
  }
}

function refuse(problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new UsageError({
    where: 'merge',
    what: 'these are not the reports of all shards of one run',
    why: problems,
    remedy: 'name each shard once, all run with the same version, target, seed and options',
  });
}

/** The evidence must match the report: exchanges lost in transfer would count as never sent. */
async function openAll(named: readonly Named[]): Promise<readonly [FinishedShard, ...FinishedShard[]]> {
  const shards: FinishedShard[] = [];
  for (const { report, evidence } of named) {
    const digest = await digestOfFile(evidence).catch((error: Error) => {
      throw new UsageError({
        where: evidence,
        what: 'cannot be read',
        why: error.message,
        remedy: 'keep evidence.har beside the report.json of each shard',
      });
    });
    if (digest !== report.run.shard?.evidence) {
      throw new UsageError({
        where: evidence,
        what: 'is not the evidence of the report beside it',
        remedy: 'keep both files of a shard as the run wrote them, or run it again',
      });
    }
    const bytes = await bytesOfFile(evidence, Number.POSITIVE_INFINITY);
    shards.push({ report, evidence: await formatChecked(evidence, () => readEvidence(bytes)) });
  }
  const [first, ...others] = shards;
  if (first === undefined) throw new Error('there is no report to merge');
  return [first, ...others];
}

async function formatChecked<T>(where: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof EvidenceFormatError || error instanceof OtherFormatVersion)) throw error;
    throw new UsageError({ where, what: error.message, remedy: 'run the shard again' });
  }
}

/** The options of the merged run: those that all shards share, and those of this command. */
function givenOf(options: Readonly<Record<string, unknown>>, flags: RunFlags): Record<string, unknown> {
  const own = ['shard', 'reportDir', 'format', 'quiet', 'color'];
  const shared = Object.entries(options).filter(([name]) => !own.includes(name));
  return { ...Object.fromEntries(shared), ...reportedOptions(flags) };
}
