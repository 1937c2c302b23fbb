import type { Check } from './check.ts';

/** An example, its expected outcome, and its evaluation. */
export interface EvaluatedExample {
  readonly name: string;
  /** The expected outcome. */
  readonly says: string;
  readonly evaluated: () => {
    readonly outcome: string;
    readonly clauses: ReadonlyArray<string | undefined>;
  };
}

/** The examples of a check of any kind with their evaluations. */
export function examplesOf(check: Check): readonly EvaluatedExample[] {
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
