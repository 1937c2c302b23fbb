import { existsSync } from 'node:fs';
import type { Check, Evidence, Example, IdentifiedCheck, PassiveEvidence } from '../harness/checks/check.ts';
import {
  type ExampleParts,
  exampleBody,
  exampleExchange,
  exampleOperation,
} from '../harness/checks/example-exchange.ts';
import { defined } from '../harness/defined.ts';
import type { Exchange } from '../harness/model/exchange.ts';
import type { Operation } from '../spec/operation.ts';

/** An exchange, or the parts of one that matter. */
type Sent = Exchange | ExampleParts;

/** Exchanges, with what else a check is given where that is unusual. */
type Given =
  | readonly Sent[]
  | (Omit<Partial<Evidence>, 'exchanges'> & { readonly exchanges: readonly Sent[] });

/** An exchange, with what else a passive check is given where that is unusual. */
type GivenToPassive = Sent | (Partial<PassiveEvidence> & Pick<PassiveEvidence, 'exchange'>);

/** Examples by name, and by what the evaluation says of them; `<slug>.examples.ts` beside the check exports them. */
export interface Examples<G = Given> extends Partial<Pick<Evidence, 'document' | 'applicable'>> {
  /** As the other parts here, that of all examples that name no other; a read that requires a key if absent. */
  readonly operation?: Operation;
  readonly passes: Readonly<Record<string, G>>;
  readonly violates: Readonly<Record<string, G>>;
  readonly inconclusive?: Readonly<Record<string, G>>;
  readonly notApplicable?: Readonly<Record<string, G>>;
  /** Exchanges of which a passive check says nothing. */
  readonly ignores?: Readonly<Record<string, G>>;
}

/** Examples of a passive check. */
export type PassiveExamples = Examples<GivenToPassive>;

const outcomes = {
  passes: 'pass',
  violates: 'violated',
  inconclusive: 'inconclusive',
  notApplicable: 'not-applicable',
  ignores: 'nothing',
} as const;

/** The examples of all lists, each with what the evaluation says of it. */
function listedExamples(
  examples: Examples<Given | GivenToPassive>,
): ReadonlyArray<Example<Evidence | PassiveEvidence>> {
  const { operation = exampleOperation(), document, applicable } = examples;
  const lists = Object.entries(outcomes) as ReadonlyArray<[keyof typeof outcomes, Example<unknown>['says']]>;
  return lists.flatMap(([list, says]) =>
    Object.entries(examples[list] ?? {}).map(([name, given]) => ({
      ...{ name, says },
      given: { operation, ...defined({ document, applicable }), ...wholeOf(given) },
    })),
  );
}

function wholeOf(
  given: Given | GivenToPassive,
): Pick<Evidence, 'exchanges'> | Pick<PassiveEvidence, 'exchange'> {
  if ('exchange' in given) return given;
  if ('exchanges' in given) return { ...given, exchanges: given.exchanges.map(exchangeOf) };
  return Array.isArray(given)
    ? { exchanges: given.map(exchangeOf) }
    : { exchange: exchangeOf(given as Sent) };
}

function exchangeOf(sent: Sent): Exchange {
  return 'id' in sent ? sent : exampleExchange(sent);
}

/** The checks with the examples that the files beside them hold: `<slug>.examples.ts` for `<slug>.check.ts`. */
export function withExamples(checks: readonly IdentifiedCheck[]): Promise<readonly IdentifiedCheck[]> {
  return Promise.all(
    checks.map(async (check) => {
      const file = new URL(`./${check.id}.examples.ts`, import.meta.url);
      if (!existsSync(file)) return check;
      const { examples } = (await import(file.href)) as { readonly examples: Examples };
      return { ...check, examples: listedExamples(examples) } as IdentifiedCheck<Check>;
    }),
  );
}

/** An exchange for examples, with the body that was sent. */
export function sentExample(parts: ExampleParts, text: string): Exchange {
  return exampleExchange({ ...parts, request: { ...parts.request, body: exampleBody(text) } });
}
