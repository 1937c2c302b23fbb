import type { Operation } from '../../spec/contract.ts';
import type { CaseResult, Cause, CoverageEntry, Summary, Verdict } from '../model/report.ts';
import type { Shard } from '../model/shard.ts';
import { shardInWords } from './shard-text.ts';

/** Number of cases by outcome. */
export function summarise(results: readonly CaseResult[]): Summary {
  const count = (outcome: CaseResult['outcome']): number =>
    results.filter((result) => result.outcome === outcome).length;
  return {
    pass: count('pass'),
    fail: count('fail'),
    warn: count('warn'),
    inconclusive: count('inconclusive'),
    notApplicable: count('not-applicable'),
    error: count('error'),
  };
}

/** What was left out of a run besides what its results say. */
export interface Shortfall {
  /** Why there is no verdict at all, such as an unreachable target. */
  readonly unreachable?: string;
  /** Why nothing about keys could be tested. */
  readonly keysRefused?: string;
  readonly interrupted: boolean;
  /** Not all operations and checks were asked for. */
  readonly filtered: boolean;
  /** What went wrong in the runner itself, results or not. */
  readonly defect?: string;
  /** See `neverSeen`. */
  readonly neverSeen?: readonly string[];
  /** Only this part was run. */
  readonly shard?: Shard;
}

/**
 * Statuses that a fully configured run gets from every conforming service, but never observed, in words such
 * as `403 at createOrder`; 409, 429 and the rest cannot be forced.
 */
export function neverSeen(
  coverage: readonly CoverageEntry[],
  operations: readonly Operation[],
): readonly string[] {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const missing = new Map<number, string[]>();
  for (const { operation: id, status, observed } of coverage) {
    const operation = byId.get(id);
    if (observed > 0 || operation === undefined || canBeForced[status]?.(operation) !== true) continue;
    missing.set(status, [...(missing.get(status) ?? []), id]);
  }
  return [...missing].map(([status, ids]) => {
    const shown = ids.slice(0, 3).join(', ');
    return `${status} at ${ids.length > 3 ? `${shown} and ${ids.length - 3} more` : shown}`;
  });
}

/** By status, the operations at which a request can force it; 404 below an unknown store is only recommended. */
const canBeForced: Readonly<Record<number, (operation: Operation) => boolean>> = {
  200: () => true,
  400: ({ requestSchema }) => requestSchema !== undefined,
  401: ({ auth }) => auth === 'api-key',
  403: ({ scope }) => scope !== undefined,
};

/** The verdict, whether every `must` was tested, and why it is not better, a sentence each. */
export function decide(
  results: readonly CaseResult[],
  shortfall: Shortfall,
): { readonly verdict: Verdict; readonly complete: boolean; readonly reasons: readonly string[] } {
  const summary = summarise(results);
  const notTested = results.filter((result) => result.level === 'must' && result.outcome === 'inconclusive');
  if (
    shortfall.unreachable !== undefined &&
    summary.pass + summary.fail + summary.warn + summary.error === 0
  ) {
    // Nothing was tested, for this reason alone.
    return { verdict: 'incomplete', complete: false, reasons: [shortfall.unreachable] };
  }
  const reasons: string[] = [];
  if (shortfall.keysRefused !== undefined) reasons.push(shortfall.keysRefused);
  if (shortfall.unreachable !== undefined) reasons.push(shortfall.unreachable);
  if (shortfall.defect !== undefined) reasons.push(`a defect of the harness: ${shortfall.defect}`);
  if (summary.error > 0)
    reasons.push(`${cases(summary.error)} could not be run because of a defect of the harness`);
  const failed = results.filter((result) => result.outcome === 'fail');
  const byService = failed.filter((result) => !isOfDocument(result));
  if (byService.length > 0) {
    const operations = new Set(byService.map((result) => result.operation));
    reasons.push(`${cases(byService.length)} failed, on ${operations.size} of the operations`);
  }
  if (byService.length < failed.length) {
    const service = byService.length === 0 ? '; your service failed no case' : '';
    reasons.push(
      `your OpenAPI document differs from the contract in ${cases(failed.length - byService.length)}${service}`,
    );
  }
  if (shortfall.interrupted) reasons.push('the run was interrupted');
  if (shortfall.shard !== undefined)
    reasons.push(`this is ${shardInWords(shortfall.shard)} alone: merge the reports of all for a verdict`);
  if (shortfall.filtered) reasons.push('only some operations or checks were asked for');
  if (notTested.length > 0) reasons.push(`${cases(notTested.length)} with level must could not be evaluated`);
  const { neverSeen: unseen = [] } = shortfall;
  const isExplained = shortfall.shard !== undefined || shortfall.keysRefused !== undefined;
  if (notTested.length > 0 && unseen.length > 0 && !isExplained)
    reasons.push(`never seen: ${unseen.join('; ')}`);
  const evaluated = summary.pass + summary.fail + summary.warn;
  if (evaluated === 0 && reasons.length === 0) reasons.push('nothing was judged');
  const complete =
    summary.error === 0 &&
    shortfall.defect === undefined &&
    notTested.length === 0 &&
    evaluated > 0 &&
    !shortfall.interrupted &&
    !shortfall.filtered &&
    shortfall.shard === undefined &&
    shortfall.unreachable === undefined;
  const verdict: Verdict =
    summary.fail > 0
      ? 'non-conformant'
      : summary.error > 0 || shortfall.defect !== undefined
        ? 'error'
        : complete
          ? 'conformant'
          : 'incomplete';
  return { verdict, complete, reasons };
}

/** Whether a case is about the supplied document, not about the service. */
function isOfDocument({ check }: CaseResult): boolean {
  return check === 'surface/supplied-document-matches';
}

function cases(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`;
}

/** Findings that share a requirement, what was expected and what was seen; the most frequent first. */
export function causesOf(results: readonly CaseResult[]): readonly Cause[] {
  const causes = new Map<string, { -readonly [Key in keyof Cause]: Cause[Key] } & { operations: string[] }>();
  for (const result of results) {
    for (const finding of result.findings) {
      if (finding.level === 'info') continue;
      const signature = `${finding.message}: expected ${finding.expected}, got ${finding.actual}`;
      const key = `${result.requirement} ${signature}`;
      const cause = causes.get(key) ?? {
        requirement: result.requirement,
        signature,
        operations: [],
        count: 0,
        example: finding.id,
      };
      if (!cause.operations.includes(result.operation)) cause.operations.push(result.operation);
      cause.count += 1;
      causes.set(key, cause);
    }
  }
  return [...causes.values()].sort((a, b) => b.count - a.count || a.signature.localeCompare(b.signature));
}
