import type { Operation } from '../../spec/contract.ts';
import { groupBy, groupsOf } from '../group-by.ts';
import type { CaseResult, Cause, CoverageEntry, Summary, Verdict } from '../model/report.ts';
import type { Shard } from '../model/run-options.ts';
import { firstLine } from '../visible-text.ts';
import { shardInWords } from './shard-text.ts';

/** Number of cases by outcome. */
export function summarise(results: readonly CaseResult[]): Summary {
  const counts = { pass: 0, fail: 0, warn: 0, inconclusive: 0, notApplicable: 0, error: 0 };
  for (const { outcome } of results) counts[outcome === 'not-applicable' ? 'notApplicable' : outcome] += 1;
  return counts;
}

/** What a run left out, beyond its results. */
export interface Shortfall {
  /** Why there is no verdict at all, such as an unreachable target. */
  readonly unreachable?: string;
  /** Why nothing about keys could be tested. */
  readonly keysRefused?: string;
  readonly interrupted: boolean;
  /** Only some operations or checks were selected. */
  readonly filtered: boolean;
  /** A defect of the runner itself, with or without results. */
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
export function neverSeen(coverage: readonly CoverageEntry[], operations: readonly Operation[]): string[] {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const missing = coverage.filter(({ operation: id, status, observed }) => {
    const operation = byId.get(id);
    return observed === 0 && operation !== undefined && canBeForced[status]?.(operation) === true;
  });
  return [...groupBy(missing, ({ status }) => status)].map(([status, entries]) => {
    const ids = entries.map(({ operation }) => operation);
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
  const { unreachable, keysRefused, defect, interrupted, filtered, shard } = shortfall;
  const unseen = shortfall.neverSeen ?? [];
  const evaluated = summary.pass + summary.fail + summary.warn;
  if (unreachable !== undefined && evaluated + summary.error === 0) {
    // Nothing was tested, for this reason alone.
    return { verdict: 'incomplete', complete: false, reasons: [unreachable] };
  }
  const open = results.filter(({ level, outcome }) => level === 'must' && outcome === 'inconclusive').length;
  const failed = results.filter(({ outcome }) => outcome === 'fail');
  const byService = failed.filter((result) => !isOfDocument(result));
  const operations = new Set(byService.map(({ operation }) => operation));
  const byDocument = failed.length - byService.length;
  const isExplained = shard !== undefined || keysRefused !== undefined;
  const reasons = [
    keysRefused,
    unreachable,
    defect !== undefined && `a defect of the harness: ${firstLine(defect)}`,
    summary.error > 0 && `${casesInWords(summary.error)} could not be run because of a defect of the harness`,
    byService.length > 0 &&
      `${casesInWords(byService.length)} failed at ${operations.size === 1 ? '1 operation' : `${operations.size} operations`}`,
    byDocument > 0 &&
      `your OpenAPI document differs from the contract in ${casesInWords(byDocument)}${byService.length === 0 ? '; your service failed no case' : ''}`,
    interrupted && 'the run was interrupted',
    shard !== undefined && `this is ${shardInWords(shard)} alone: merge the reports of all for a verdict`,
    filtered && 'only some operations or checks were asked for',
    open > 0 && untestedReason(open),
    open > 0 && unseen.length > 0 && !isExplained && `never observed: ${unseen.join('; ')}`,
  ].filter((reason) => typeof reason === 'string');
  if (evaluated === 0 && reasons.length === 0) reasons.push('nothing was tested');
  const isBroken = summary.error > 0 || defect !== undefined;
  const isPart = interrupted || filtered || shard !== undefined || unreachable !== undefined;
  const complete = evaluated > 0 && open === 0 && !isBroken && !isPart;
  const withoutFailures = isBroken ? 'error' : complete ? 'conformant' : 'incomplete';
  return { verdict: summary.fail > 0 ? 'non-conformant' : withoutFailures, complete, reasons };
}
function isOfDocument({ check }: CaseResult): boolean {
  return check === 'surface/supplied-document-matches';
}

/** The reason that a report states if `must` cases were not tested. */
export function untestedReason(count: number): string {
  return count === 1 ? '1 must case was not tested' : `${count} must cases were not tested`;
}

/** A number of cases, such as `1 case`. */
export function casesInWords(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`;
}

/** Findings grouped by requirement, message, expected and actual result; the most frequent first. */
export function causesOf(results: readonly CaseResult[]): readonly Cause[] {
  const shown = results.flatMap(({ requirement, operation, findings }) =>
    findings
      .filter(({ level }) => level !== 'info')
      .map(({ id, message, expected, actual }) => {
        const signature = `${message}: expected ${expected}, got ${actual}`;
        return { requirement, signature, operation, id };
      }),
  );
  return groupsOf(shown, ({ requirement, signature }) => [requirement, signature])
    .map((same) => {
      const [{ requirement, signature, id: example }] = same;
      const operations = [...new Set(same.map(({ operation }) => operation))];
      return { requirement, signature, operations, count: same.length, example };
    })
    .sort((a, b) => b.count - a.count || a.signature.localeCompare(b.signature));
}
