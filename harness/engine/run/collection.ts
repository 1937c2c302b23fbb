import type { Case, CollectiveCheck } from '../../checks/check.ts';
import { blameOf, failureOf } from '../../checks/custom-check.ts';
import { riderCount } from '../../evidence/answer.ts';
import { keptAt } from '../../kept-at.ts';
import type { Violation } from '../../model/evaluation.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { CaseResult, Finding } from '../../model/report.ts';
import type { SuppliedDocument } from '../../model/supplied-document.ts';
import { resultOf, resultOfEvaluation, resultOfFindings } from '../../results/case-result.ts';
import { findingOf } from '../../results/finding.ts';
import type { Reporting } from './conclude-case.ts';

/** Kinds of exchanges that are distinguished; fuzzing could cause any number. */
const mostKinds = 1_000;

interface Kept {
  first: Exchange;
  last: Exchange;
  /** The one with the fewest riders and the smallest id, which does not depend on the order of responses. */
  least: Exchange;
  count: number;
}

type Cases = readonly [Case<CollectiveCheck>, ...ReadonlyArray<Case<CollectiveCheck>>];

/** Keeps the exchanges that the cases of one collective check compare, in bounded memory. */
export class Collection {
  readonly check: Case<CollectiveCheck>['check'];
  readonly #cases: Cases;
  readonly #document: SuppliedDocument | undefined;
  readonly #kept = new Map<string, Kept>();

  constructor(cases: Cases, document: SuppliedDocument | undefined) {
    this.check = cases[0].check;
    this.#cases = cases;
    this.#document = document;
  }

  readonly observe = (exchange: Exchange): void => {
    const key = this.check.dedupeKey(exchange);
    if (key === undefined || (!this.#kept.has(key) && this.#kept.size >= mostKinds)) return;
    const only = { first: exchange, last: exchange, least: exchange, count: 0 };
    const kept = keptAt(this.#kept, key, () => only);
    kept.count += 1;
    const more = riderCount(exchange) - riderCount(kept.least);
    if (more === 0 ? exchange.id < kept.least.id : more < 0) kept.least = exchange;
    if (isBefore(exchange, kept.first)) kept.first = exchange;
    if (isBefore(kept.last, exchange)) kept.last = exchange;
  };

  /** One result per operation. */
  results(reporting: Reporting): readonly CaseResult[] {
    const kept = [...this.#kept.values()];
    const keptOf = new Map(kept.flatMap((one) => [[one.first, one] as const, [one.last, one] as const]));
    const exchanges = [...keptOf.keys()].sort((a, b) => (isBefore(a, b) ? -1 : 1));
    const applicable = new Set(this.#cases.map(({ operation }) => operation.id));
    return this.#cases.map((planned) => {
      const { check, operation, requirement } = planned;
      const evaluation = check.evaluate({ operation, exchanges, document: this.#document, applicable });
      const failure = failureOf(check);
      if (failure !== undefined) return resultOf(planned, 'error', `${blameOf(check.id)}: ${failure}`);
      const mine = kept
        .map(({ least }) => least)
        .filter((one) => one.operation === operation.id)
        .sort((a, b) => (a.id < b.id ? -1 : 1));
      if (evaluation.outcome !== 'violated') return resultOfEvaluation(planned, evaluation, mine);
      const subject = { ...reporting, check: check.id, requirement };
      const shown = (violation: Violation): Finding => {
        const { exchange } = violation;
        const { first, last, least, count } = keptOf.get(exchange) ?? { least: exchange, count: 1 };
        // What came last may be told for its time, in which no other one can stand for it.
        const isOfItsTime = exchange === last && exchange !== first;
        const told = isOfItsTime ? violation : { ...violation, exchange: least };
        return findingOf(told, subject, { times: count, of: count });
      };
      const [first, ...others] = evaluation.violations;
      const ids = mine.map(({ id }) => id);
      return resultOfFindings(planned, [shown(first), ...others.map(shown)], ids, reporting.strict);
    });
  }
}

function isBefore(a: Exchange, b: Exchange): boolean {
  return a.startedAt === b.startedAt ? a.id < b.id : a.startedAt < b.startedAt;
}
