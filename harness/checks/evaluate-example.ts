import type { Check } from './check.ts';

/** What a judge says of an example, and the clauses of its violations. */
export interface JudgedExample {
  readonly name: string;
  /** What it must say. */
  readonly says: string;
  readonly evaluated: () => {
    readonly outcome: string;
    readonly clauses: ReadonlyArray<string | undefined>;
  };
}

/** The examples of a check of any kind, each with what its judge makes of it. */
export function examplesOf(check: Check): readonly JudgedExample[] {
  if (check.kind === 'passive') {
    return (check.examples ?? []).map(({ name, given, says }) => ({
      name,
      says,
      evaluated: () => {
        const evaluation = check.evaluate(given.exchange, given.operation, given.document);
        if (evaluation === undefined) return { outcome: 'nothing', clauses: [] };
        return evaluation === 'holds'
          ? { outcome: 'pass', clauses: [] }
          : { outcome: 'violated', clauses: [evaluation.clause] };
      },
    }));
  }
  return (check.examples ?? []).map(({ name, given, says }) => ({
    name,
    says,
    evaluated: () => {
      const evaluation = check.evaluate(given);
      const clauses =
        evaluation.outcome === 'violated' ? evaluation.violations.map(({ clause }) => clause) : [];
      return { outcome: evaluation.outcome, clauses };
    },
  }));
}
