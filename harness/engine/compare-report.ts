import type { Contract } from '../../spec/contract.ts';
import type { EvidenceRun } from '../evidence/evidence-format.ts';
import type { CaseResult, Report } from '../model/report.ts';
import { assembleReport } from '../results/assemble-report.ts';
import { resultOf } from '../results/case-result.ts';
import type { Reevaluated } from './reevaluate.ts';

/** Members of a result that are compared one by one, the telling first. */
const members = [
  'outcome',
  'level',
  'requirement',
  'message',
  'expected',
  'actual',
  'remedy',
  'findings',
  'exchanges',
] as const;

/** Parts of a report that follow from its results and the evidence. */
const parts = [
  'schemaVersion',
  'verdict',
  'complete',
  'reasons',
  'harness',
  'contract',
  'operations',
  'summary',
  'coverage',
  'traffic',
  'causes',
  'rootCauses',
  'shapes',
] as const;

/** In what a report differs from what its evidence comes to, in a sentence each. */
export function differences(
  report: Report,
  reevaluated: Reevaluated,
  run: EvidenceRun,
  contract: Contract,
): readonly string[] {
  const stated = new Map<string, CaseResult>();
  const found: string[] = [];
  for (const result of report.results) {
    const id = idOf(result);
    if (stated.has(id)) found.push(`${id}: the report has two results`);
    stated.set(id, result);
  }
  const results = [
    ...reevaluated.results,
    // What was never attempted can only be without a result, for which the report must give a reason of its own.
    ...reevaluated.unattempted.map((planned) => {
      const said = stated.get(planned.id);
      const outcome = said?.outcome === 'error' ? 'error' : 'inconclusive';
      return resultOf(planned, outcome, said?.message ?? 'no attempt is recorded', [], said?.remedy);
    }),
  ];
  const due = new Set(results.map(idOf));
  for (const id of stated.keys()) {
    if (!due.has(id)) found.push(`${id}: the report has a result of what was not planned`);
  }
  const expected = assembleReport({
    harness: run.harness,
    contract,
    baseUrl: run.target.baseUrl,
    embedded: report.target.embedded,
    discovered: report.target.discovered,
    ...(report.target.excluded === undefined ? {} : { excluded: report.target.excluded }),
    connection: report.target.connection,
    peers: report.target.peers,
    startedAt: report.run.startedAt,
    durationMs: report.run.durationMs,
    seed: run.options.seed,
    options: report.run.options,
    results,
    coverage: reevaluated.coverage,
    traffic: reevaluated.traffic,
    shapes: reevaluated.shapes,
    // What the evidence is a part of cannot be a whole by what the report leaves out.
    ...(run.options.shard === undefined ? {} : { shard: run.options.shard }),
    ...(run.shards === undefined ? {} : { shards: run.shards.length }),
    shortfall: {
      interrupted: report.run.interrupted,
      ...(report.run.unreachable === undefined ? {} : { unreachable: report.run.unreachable }),
      ...(report.run.keysRefused === undefined ? {} : { keysRefused: report.run.keysRefused }),
      ...(report.run.defect === undefined ? {} : { defect: report.run.defect }),
      filtered:
        run.options.operations.length > 0 || run.options.checks.length > 0 || run.options.profile === 'quick',
    },
  });
  for (const result of expected.results) {
    const said = stated.get(idOf(result));
    if (said === undefined) found.push(`${idOf(result)}: the report has no result`);
    else found.push(...differencesOfResult(said, result));
  }
  for (const part of parts) {
    if (!isSame(report[part], expected[part])) {
      found.push(`${part}: the report says ${short(report[part])}, the evidence ${short(expected[part])}`);
    }
  }
  if (report.target.baseUrl !== expected.target.baseUrl)
    found.push('target.baseUrl: the report names another target than the evidence');
  if (report.run.seed !== expected.run.seed)
    found.push('run.seed: the report names another seed than the evidence');
  if (!isSame(report.results.map(idOf), expected.results.map(idOf)) && found.length === 0)
    found.push('results: they do not stand in the order of operations and checks');
  return found;
}

function differencesOfResult(said: CaseResult, found: CaseResult): readonly string[] {
  const member = members.find((name) => !isSame(said[name], found[name]));
  if (member === undefined) return [];
  return [
    `${idOf(said)}: its ${member} is ${short(said[member])} in the report, ${short(found[member])} by the evidence`,
  ];
}

function idOf({ operation, check }: Pick<CaseResult, 'operation' | 'check'>): string {
  return `${operation}/${check}`;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'absent');
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
