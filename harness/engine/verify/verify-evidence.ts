import type { Contract } from '../../../spec/contract.ts';
import { canonicalJson } from '../../certification/envelope.ts';
import type { Catalogue } from '../../checks/catalogue.ts';
import { defined } from '../../defined.ts';
import type { EvidenceRun } from '../../evidence/evidence-format.ts';
import type { Evidence } from '../../evidence/read-evidence.ts';
import { firstFew } from '../../first-few.ts';
import type { CaseResult, Report, Slowed, Traffic } from '../../model/report.ts';
import { documentFrom } from '../../openapi/load-document.ts';
import { isMembers } from '../../openapi/place.ts';
import { assembleReport } from '../../results/assemble-report.ts';
import { caseIdOf } from '../../results/case-result.ts';
import { connectionOf } from '../run/stated-options.ts';
import { inconsistencies } from './evidence-inconsistencies.ts';
import { type MadeAttempt, openRecordedRun, repeatAttempt } from './recorded-run.ts';
import { type Reevaluated, reevaluate } from './reevaluate.ts';

/** Contradictions between a report and its evidence, and the number of explained requests. */
export interface VerifiedEvidence {
  /** Defects, in a sentence each. */
  readonly problems: readonly string[];
  readonly recomputed: RecomputedRequests;
}

/** Requests of cases, computed again. */
export interface RecomputedRequests {
  readonly requests: number;
  /** Those that are as the seed and the recorded responses require. */
  readonly confirmed: number;
}

/** Requests that differ from the computed ones and are named. */
const mostObjections = 5;

/** Evaluates evidence again, computes its requests again, and compares both with the report; sends nothing. */
export async function verifyEvidence(
  report: Report,
  evidence: Evidence,
  catalogue: Catalogue,
): Promise<VerifiedEvidence> {
  const { contract } = catalogue;
  const { run } = evidence;
  const recomputed = { requests: 0, confirmed: 0 };
  const recorded =
    run.derivation === undefined ? undefined : await openRecordedRun(evidence, run.derivation, contract);
  const objections = [...(recorded?.differences ?? [])];
  // The shards of a merged run had a derivation each.
  if (recorded === undefined && run.shards === undefined)
    objections.push('it does not say what its requests derive from');
  const visit = async (made: MadeAttempt): Promise<void> => {
    recomputed.requests += made.exchanges.length;
    if (recorded === undefined) return;
    const repeated = await repeatAttempt(recorded.context, made, recorded.outside);
    recomputed.confirmed += repeated.confirmed;
    objections.push(...repeated.differences);
  };
  const reevaluated = await reevaluate(catalogue, evidence, visit);
  const inconsistent = await inconsistencies(evidence, contract, reevaluated.plan, report);
  const ofEvidence = [
    ...inconsistent,
    ...reevaluated.unattempted.map(({ id }) => `no attempt at ${id} is recorded`),
    ...(await wrongDocument(evidence, catalogue)),
    ...reevaluated.objections,
    ...firstFew(objections, mostObjections),
  ].map((one) => `evidence.har: ${one}`);
  const ofReport = differences(report, reevaluated, { run, contract, discovered: recorded?.discovered });
  return {
    problems: [...ofEvidence, ...ofReport.map((one) => `report.json: ${one}`)],
    recomputed,
  };
}

/** A supplied document must match its digest and its recorded deviations. */
async function wrongDocument(
  { run: { document } }: Evidence,
  { contract }: Catalogue,
): Promise<readonly string[]> {
  if (document === undefined) return [];
  const expected = await documentFrom(document.content, document.source, contract);
  return canonicalJson(expected) === canonicalJson(document)
    ? []
    : ["the platform's OpenAPI document does not have the digest or the deviations that are recorded"];
}

/**
 * The report that follows from the evidence. From the given report it takes times, options, the target file, the way to
 * the target and its peers, how waiting slowed the run down, and why it ended early.
 */
function derivedReport(
  { target, run: { shard: _shard, shards: _shards, ...stated } }: Report,
  reevaluated: Reevaluated,
  { run, contract, discovered }: Derived,
): Report {
  const { options, slowed } = stated;
  const { connection } = target;
  return assembleReport({
    ...target,
    ...stated,
    ...reevaluated,
    harness: run.harness,
    contract,
    baseUrl: run.target.baseUrl,
    targetFile: target.file,
    discovered: discovered ?? target.discovered,
    excluded: run.target.exclusions,
    // One protocol carries all exchanges that are answered.
    connection: connectionOf(options, connection?.proxy, connection?.protocol),
    seed: run.options.seed,
    slowed: isBorneOut(slowed, reevaluated.traffic) ? slowed : undefined,
    // A report cannot turn partial evidence into a whole run by omitting members.
    ...defined({ shard: run.options.shard, shards: run.shards?.length }),
    shortfall: { ...stated, filtered: run.options.operations.length + run.options.checks.length > 0 },
  });
}

/** The data from which a report derives, besides its results. */
interface Derived {
  readonly run: EvidenceRun;
  readonly contract: Contract;
  /** Absent for a merged run, each of whose parts had a preflight. */
  readonly discovered?: Report['target']['discovered'] | undefined;
}

/** Whether the refusals that slowed a run down are among its responses. */
function isBorneOut(slowed: Slowed | undefined, { byStatus }: Traffic): boolean {
  const counts = Object.entries(slowed?.by ?? {});
  return counts.length > 0 && counts.every(([status, count]) => count <= (byStatus[status] ?? 0));
}

/** The differences between a report and the one that follows from its evidence, in a sentence each. */
export function differences(report: Report, reevaluated: Reevaluated, derived: Derived): readonly string[] {
  const expected = derivedReport(report, reevaluated, derived);
  if (isSame(report, expected)) return [];
  const named = [
    ...pairs(byCase(report.results), byCase(expected.results)),
    ...pairs({ ...report, results: [] }, { ...expected, results: [] }),
  ].flatMap(([name, stated, found]): readonly Difference[] => {
    if (isSame(stated, found)) return [];
    const hasParts = isMembers(stated) && isMembers(found);
    const parts = hasParts ? pairs(stated, found).filter(([, a, b]) => !isSame(a, b)) : [];
    return parts.length === 0
      ? [[name, stated, found]]
      : parts.map(([part, a, b]) => [`${name}.${part}`, a, b]);
  });
  return named.length === 0
    ? ['its members or results are not in the order in which the harness writes them']
    : named.map(
        ([name, stated, found]) => `${name}: the report says ${short(stated)}, the evidence ${short(found)}`,
      );
}

type Difference = readonly [name: string, stated: unknown, found: unknown];

function byCase(results: readonly CaseResult[]): Readonly<Record<string, CaseResult>> {
  return Object.fromEntries(results.map((result) => [caseIdOf(result), result]));
}

/** The members of two objects with both values. */
export function pairs(
  one: object,
  other: object,
): ReadonlyArray<readonly [name: string, one: unknown, other: unknown]> {
  const [a, b] = [one, other].map((object) => new Map<string, unknown>(Object.entries(object)));
  const names = new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])]);
  return [...names].map((name) => [name, a?.get(name), b?.get(name)]);
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'absent');
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
