import { existsSync } from 'node:fs';
import type { Check, Evidence, Example, IdentifiedCheck, PassiveEvidence } from '../harness/checks/check.ts';
import { type ExampleParts, exampleExchange } from '../harness/checks/example-exchange.ts';
import { jsonKind } from '../harness/evidence/json-syntax.ts';
import type { Exchange } from '../harness/model/exchange.ts';

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
function listedExamples<Input>(examples: Examples<Input>): ReadonlyArray<Example<Input>> {
  const { passes, violates, inconclusive = [], notApplicable = [], ignores = [] } = examples;
  return [
    ...passes.map((example) => ({ ...example, says: 'pass' as const })),
    ...violates.map((example) => ({ ...example, says: 'violated' as const })),
    ...inconclusive.map((example) => ({ ...example, says: 'inconclusive' as const })),
    ...notApplicable.map((example) => ({ ...example, says: 'not-applicable' as const })),
    ...ignores.map((example) => ({ ...example, says: 'nothing' as const })),
  ];
}

/** The checks with the examples that the files beside them hold: `<slug>.examples.ts` for `<slug>.check.ts`. */
export function withExamples(checks: readonly IdentifiedCheck[]): Promise<readonly IdentifiedCheck[]> {
  return Promise.all(
    checks.map(async (check) => {
      const file = new URL(`./${check.id}.examples.ts`, import.meta.url);
      if (!existsSync(file)) return check;
      const { examples } = (await import(file.href)) as { readonly examples: Examples<never> };
      return { ...check, examples: listedExamples(examples) } as IdentifiedCheck<Check>;
    }),
  );
}

/** An exchange for examples, with the body that was sent. */
export function sentExample(parts: ExampleParts, text: string): Exchange {
  const exchange = exampleExchange({ label: 'example', ...parts });
  const body = {
    text,
    encoding: 'utf-8',
    bytes: Buffer.byteLength(text),
    truncated: false,
    json: jsonKind(text),
  } as const;
  return { ...exchange, request: { ...exchange.request, body } };
}
