import type { Case, CollectiveCheck } from '../../checks/check.ts';
import { blameOf, failureOf } from '../../checks/custom-check.ts';
import { groupBy } from '../../group-by.ts';
import { keptAt } from '../../kept-at.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { CaseResult } from '../../model/report.ts';
import type { SuppliedDocument } from '../../model/supplied-document.ts';
import { resultOf, resultOfEvaluation, resultOfFindings } from '../../results/case-result.ts';
import { findingOf } from '../../results/finding.ts';

/** Kinds of exchanges that are distinguished; fuzzing could cause any number. */
const mostKinds = 1_000;

interface Kept {
  first: Exchange;
  last: Exchange;
  /** The one with the smallest id, which does not depend on the order of responses. */
  least: Exchange;
  count: number;
}

/** Keeps the exchanges that one collective check compares, in bounded memory. */
export class Collection {
  readonly #cases: ReadonlyArray<Case<CollectiveCheck>>;
  readonly #document: SuppliedDocument | undefined;
  readonly #kept = new Map<string, Kept>();

  constructor(cases: ReadonlyArray<Case<CollectiveCheck>>, document: SuppliedDocument | undefined) {
    this.#cases = cases;
    this.#document = document;
  }

  /** Id of the check. */
  get check(): string {
    return this.#cases[0]?.check.id ?? '';
  }

  readonly observe = (exchange: Exchange): void => {
    const key = this.#cases[0]?.check.dedupeKey(exchange);
    if (key === undefined || (!this.#kept.has(key) && this.#kept.size >= mostKinds)) return;
    const kept = keptAt(this.#kept, key, () => ({
      first: exchange,
      last: exchange,
      least: exchange,
      count: 0,
    }));
    kept.count += 1;
    if (exchange.id < kept.least.id) kept.least = exchange;
    if (isBefore(exchange, kept.first)) kept.first = exchange;
    if (isBefore(kept.last, exchange)) kept.last = exchange;
  };

  /** One result per operation. */
  results(baseUrl: string, strict: boolean, curlFlags: readonly string[] = []): readonly CaseResult[] {
    const kept = [...this.#kept.values()];
    const keptOf = new Map(kept.flatMap((one) => [[one.first, one] as const, [one.last, one] as const]));
    const exchanges = [...keptOf.keys()].sort((a, b) => (isBefore(a, b) ? -1 : 1));
    const applicable = new Set(this.#cases.map(({ operation }) => operation.id));
    return this.#cases.map((planned) => {
      const evaluation = planned.check.evaluate({
        operation: planned.operation,
        exchanges,
        document: this.#document,
        applicable,
      });
      const failure = failureOf(planned.check);
      if (failure !== undefined)
        return resultOf(planned, 'error', `${blameOf(planned.check.id)}: ${failure}`);
      const mine = kept
        .map(({ least }) => least)
        .filter(({ operation }) => operation === planned.operation.id)
        .sort((a, b) => (a.id < b.id ? -1 : 1));
      if (evaluation.outcome !== 'violated') return resultOfEvaluation(planned, evaluation, mine);
      const subject = { check: planned.check.id, requirement: planned.requirement, baseUrl, curlFlags };
      const [first, ...others] = evaluation.violations.map((violation) => {
        const { least, count } = keptOf.get(violation.exchange) ?? { least: violation.exchange, count: 1 };
        return findingOf({ ...violation, exchange: least }, subject, { times: count, of: count });
      });
      if (first === undefined) throw new Error(`${planned.id} is violated by nothing`);
      return resultOfFindings(
        planned,
        [first, ...others],
        mine.map(({ id }) => id),
        strict,
      );
    });
  }
}

/** One collection per check. */
export function collectionsOf(
  cases: ReadonlyArray<Case<CollectiveCheck>>,
  document: SuppliedDocument | undefined,
): readonly Collection[] {
  return [...groupBy(cases, ({ check }) => check.id).values()].map((same) => new Collection(same, document));
}

function isBefore(a: Exchange, b: Exchange): boolean {
  return a.startedAt === b.startedAt ? a.id < b.id : a.startedAt < b.startedAt;
}
