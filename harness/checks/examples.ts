import type { Evidence, Example, PassiveEvidence } from './check.ts';

/** Recorded exchanges under a name. */
export interface NamedEvidence<Input = Evidence> {
  readonly name: string;
  readonly given: Input;
}

/** Examples of a check, by what its evaluation says of them; `<slug>.examples.ts` beside the check exports them. */
export interface Examples<Input = Evidence> {
  readonly passes: ReadonlyArray<NamedEvidence<Input>>;
  readonly violates: ReadonlyArray<NamedEvidence<Input>>;
  readonly inconclusive?: ReadonlyArray<NamedEvidence<Input>>;
  readonly notApplicable?: ReadonlyArray<NamedEvidence<Input>>;
  /** Exchanges of which a passive check says nothing. */
  readonly ignores?: ReadonlyArray<NamedEvidence<Input>>;
}

/** Examples of a passive check. */
export type PassiveExamples = Examples<PassiveEvidence>;

/** The examples of all lists, each with what the evaluation says of it. */
export function listedExamples<Input>(examples: Examples<Input>): ReadonlyArray<Example<Input>> {
  const { passes, violates, inconclusive = [], notApplicable = [], ignores = [] } = examples;
  return [
    ...passes.map((example) => ({ ...example, says: 'pass' as const })),
    ...violates.map((example) => ({ ...example, says: 'violated' as const })),
    ...inconclusive.map((example) => ({ ...example, says: 'inconclusive' as const })),
    ...notApplicable.map((example) => ({ ...example, says: 'not-applicable' as const })),
    ...ignores.map((example) => ({ ...example, says: 'nothing' as const })),
  ];
}
