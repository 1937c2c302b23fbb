import type { Check } from '../model/check.ts';

/** What a judge says of an example, and the clauses of its violations. */
export interface JudgedExample {
  readonly name: string;
  /** What it must say. */
  readonly says: string;
  readonly judged: () => {
    readonly outcome: string;
    readonly clauses: ReadonlyArray<string | undefined>;
  };
}

/** The examples of a check of any kind, each with what its judge makes of it. */
export function examplesOf(check: Check): readonly JudgedExample[] {
  if (check.kind === 'passive') {
    return check.examples.map(({ name, given, says }) => ({
      name,
      says,
      judged: () => {
        const judgement = check.judge(given.exchange, given.operation, given.document);
        if (judgement === undefined) return { outcome: 'nothing', clauses: [] };
        return judgement === 'holds'
          ? { outcome: 'pass', clauses: [] }
          : { outcome: 'violated', clauses: [judgement.clause] };
      },
    }));
  }
  return check.examples.map(({ name, given, says }) => ({
    name,
    says,
    judged: () => {
      const judgement = check.judge(given);
      const clauses =
        judgement.outcome === 'violated' ? judgement.violations.map(({ clause }) => clause) : [];
      return { outcome: judgement.outcome, clauses };
    },
  }));
}
