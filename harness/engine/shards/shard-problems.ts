import { isDeepStrictEqual } from 'node:util';
import type { EvidenceRun } from '../../evidence/evidence-format.ts';
import type { Report } from '../../model/report.ts';
import { shardInWords } from '../../results/shard-text.ts';
import { firstLine } from '../../visible-text.ts';

/** A report as it was named. */
export interface NamedReport {
  readonly name: string;
  readonly report: Report;
}

/** Why reports are not those of all shards of one run, in a sentence each; empty if they are. */
export function shardProblems(
  reports: readonly NamedReport[],
  harness: { readonly name: string; readonly version: string },
  contract: string,
): readonly string[] {
  const strangers = reports.filter(({ report }) => report.run.shard === undefined);
  if (strangers.length > 0) {
    return strangers.map(({ name, report: { run } }) =>
      run.shards === undefined
        ? `${name} is the report of a whole run, not of a shard`
        : `${name} is the report of ${run.shards} shards that were merged already`,
    );
  }
  const problems: string[] = [];
  const [first] = reports;
  if (first === undefined) return problems;
  const of = first.report.run.shard?.of ?? 0;
  const byIndex = new Map<number, string>();
  for (const { name, report } of reports) {
    const { shard } = report.run;
    if (shard === undefined) continue;
    if (shard.of !== of) {
      problems.push(`${name} is ${shardInWords(shard)}, but ${first.name} is one of ${of}`);
      continue;
    }
    const before = byIndex.get(shard.index);
    if (before !== undefined) problems.push(`duplicate shard ${shard.index}: ${before} and ${name}`);
    else byIndex.set(shard.index, name);
  }
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((index) => !byIndex.has(index));
  if (missing.length > 0) {
    problems.push(
      `${missing.length === 1 ? 'shard' : 'shards'} ${missing.join(', ')} of ${of} ${missing.length === 1 ? 'is' : 'are'} missing`,
    );
  }
  for (const { name, report } of reports) {
    const version = `${report.harness.name} ${report.harness.version}`;
    if (!isDeepStrictEqual(report.harness, harness))
      problems.push(`${name} was evaluated by ${version}, this is ${harness.name} ${harness.version}`);
    if (report.contract.digest !== contract)
      problems.push(`${name} was evaluated against another version of the contract`);
    const { target, run } = first.report;
    if (report.target.baseUrl !== target.baseUrl)
      problems.push(
        `${name} is about ${report.target.baseUrl}, but ${first.name} is about ${target.baseUrl}`,
      );
    if (report.run.seed !== run.seed)
      problems.push(`${name} has the seed ${report.run.seed}, but ${first.name} has ${run.seed}`);
    if (report.run.shard?.evidence === undefined) problems.push(`${name}: ${whyNoEvidence(report)}`);
  }
  return problems;
}

/** Why the evidence of shards is not that of one run, in a sentence each. */
export function evidenceProblems(
  sources: ReadonlyArray<{ readonly name: string; readonly run: EvidenceRun }>,
  catalogue: string,
): readonly string[] {
  const [first] = sources;
  if (first === undefined) return [];
  return sources.flatMap(({ name, run }) => {
    const problems: string[] = [];
    if (run.catalogue !== catalogue)
      problems.push(`${name} was evaluated by other checks or requirements than this version has`);
    if (!isDeepStrictEqual(run.target, first.run.target))
      problems.push(`${name} describes another target than ${first.name}`);
    if (!isDeepStrictEqual(run.document, first.run.document))
      problems.push(`${name} was evaluated by another OpenAPI document than ${first.name}`);
    const mine = new Map(Object.entries({ ...run.options, shard: undefined }));
    for (const [option, value] of Object.entries({ ...first.run.options, shard: undefined })) {
      if (!isDeepStrictEqual(mine.get(option), value))
        problems.push(
          `${name} was run with ${option} ${text(mine.get(option))}, ${first.name} with ${text(value)}`,
        );
    }
    return problems;
  });
}

function whyNoEvidence({ run }: Report): string {
  if (run.interrupted) return 'was interrupted before its end: run it again';
  if (run.defect !== undefined) return `did not finish: ${firstLine(run.defect)}`;
  return 'has no evidence, which the merge needs: run it again';
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? 'unset';
}
