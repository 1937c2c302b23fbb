import { canonicalJson } from '../../certification/envelope.ts';
import type { Catalogue } from '../../checks/catalogue.ts';
import type { Evidence } from '../../evidence/read-evidence.ts';
import type { Report } from '../../model/report.ts';
import { documentFrom } from '../../openapi/load-document.ts';
import { differences } from './compare-report.ts';
import { inconsistencies } from './evidence-inconsistencies.ts';
import { type MadeAttempt, openRecordedRun, repeatAttempt } from './recorded-run.ts';
import { reevaluate } from './reevaluate.ts';

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
