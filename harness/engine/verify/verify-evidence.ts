import type { Contract } from '../../../spec/contract.ts';
import { canonicalJson } from '../../certification/envelope.ts';
import type { Catalogue } from '../../checks/catalogue.ts';
import { defined } from '../../defined.ts';
import type { EvidenceRun } from '../../evidence/evidence-format.ts';
import type { Evidence } from '../../evidence/read-evidence.ts';
import type { CaseResult, Report } from '../../model/report.ts';
import { documentFrom } from '../../openapi/load-document.ts';
import { assembleReport } from '../../results/assemble-report.ts';
import { caseIdOf, resultOf } from '../../results/case-result.ts';
import { inconsistencies } from './evidence-inconsistencies.ts';
import { type MadeAttempt, openRecordedRun, repeatAttempt } from './recorded-run.ts';
import { type Reevaluated, reevaluate } from './reevaluate.ts';

/** What a report and its evidence contradict each other in, and how many requests are explained. */
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
  /** The others, by what explains them. */
  readonly disturbed: { readonly 'cut bodies'?: number };
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
  let cut = 0;
  const recorded =
    run.derivation === undefined ? undefined : await openRecordedRun(evidence, run.derivation, contract);
  const objections = [...(recorded?.differences ?? [])];
  // The shards of a merged run had a derivation each.
  if (recorded === undefined && run.shards === undefined)
    objections.push('it does not say what its requests derive from');
  const visit = async (made: MadeAttempt): Promise<void> => {
    recomputed.requests += made.exchanges.length;
    if (recorded === undefined) return;
    const { confirmed, isCut, differences: wrong } = await repeatAttempt(recorded.context, made);
    recomputed.confirmed += confirmed;
    if (isCut) cut += made.exchanges.length - confirmed;
    objections.push(...wrong);
  };
  const reevaluated = await reevaluate(catalogue, evidence, visit);
  const inconsistent = await inconsistencies(evidence, contract, reevaluated.plan, report.run);
  const more = objections.length - mostObjections;
  const problems = [
    ...inconsistent,
    ...reevaluated.unattempted.map(({ id }) => `no attempt at ${id} is recorded`),
    ...(await wrongDocument(evidence, catalogue)),
    ...reevaluated.objections,
    ...objections.slice(0, mostObjections),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
  return {
    problems: [
      ...problems.map((one) => `evidence.har: ${one}`),
      ...differences(report, reevaluated, run, contract).map((one) => `report.json: ${one}`),
    ],
    recomputed: { ...recomputed, disturbed: cut > 0 ? { 'cut bodies': cut } : {} },
  };
}

/** A supplied document must be what its digest says, with the deviations that it has. */
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

/** Members that hold what no evidence tells, of which the verifiable parts are compared one by one. */
const compared = ['target', 'run', 'results', 'baseline'];

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
    const id = caseIdOf(result);
    if (stated.has(id)) found.push(`${id}: the report has two results for it`);
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
  const due = new Set(results.map(caseIdOf));
  for (const id of stated.keys()) {
    if (!due.has(id)) found.push(`${id}: the report has a result for an unplanned case`);
  }
  const { startedAt, durationMs, options, slowed, interrupted, unreachable, keysRefused, defect } =
    report.run;
  const expected = assembleReport({
    harness: run.harness,
    contract,
    ...report.target,
    baseUrl: run.target.baseUrl,
    startedAt,
    durationMs,
    seed: run.options.seed,
    options,
    results,
    coverage: reevaluated.coverage,
    traffic: reevaluated.traffic,
    shapes: reevaluated.shapes,
    moments: reevaluated.moments,
    // What the evidence is a part of cannot be a whole by what the report leaves out.
    ...defined({ slowed, shard: run.options.shard, shards: run.shards?.length }),
    shortfall: {
      interrupted,
      ...defined({ unreachable, keysRefused, defect }),
      filtered: run.options.operations.length > 0 || run.options.checks.length > 0,
    },
  });
  for (const result of expected.results) {
    const said = stated.get(caseIdOf(result));
    if (said === undefined) found.push(`${caseIdOf(result)}: the report has no result`);
    else found.push(...differencesOfResult(said, result));
  }
  const ofRun = pairs(report.run, expected.run).map(
    ([name, ...values]) => [`run.${name}`, ...values] as const,
  );
  for (const [part, stated, derived] of [...pairs(report, expected), ...ofRun]) {
    if (!compared.includes(part) && !isSame(stated, derived))
      found.push(`${part}: the report says ${short(stated)}, the evidence ${short(derived)}`);
  }
  if (report.target.baseUrl !== expected.target.baseUrl)
    found.push('target.baseUrl: the report names another target than the evidence');
  if (!isSame(report.results.map(caseIdOf), expected.results.map(caseIdOf)) && found.length === 0)
    found.push('results: they are not in the order of operations and checks');
  return found;
}

function differencesOfResult(said: CaseResult, found: CaseResult): readonly string[] {
  const wrong = pairs(said, found).find(([, a, b]) => !isSame(a, b));
  if (wrong === undefined) return [];
  const [member, stated, derived] = wrong;
  return [
    `${caseIdOf(said)}: its ${member} is ${short(stated)} in the report, ${short(derived)} by the evidence`,
  ];
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
