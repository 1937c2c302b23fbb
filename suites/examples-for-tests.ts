import { existsSync } from 'node:fs';
import type { Check, Evidence, Example, IdentifiedCheck, PassiveEvidence } from '../harness/checks/check.ts';
import {
  type ExampleParts,
  exampleBody,
  exampleExchange,
  exampleOperation,
} from '../harness/checks/example-exchange.ts';
import { defined } from '../harness/defined.ts';
import type { CredentialKind, Exchange } from '../harness/model/exchange.ts';
import type { Operation } from '../spec/operation.ts';

/** An exchange, the parts of one that matter, or the words of `example`. */
type Sent = Exchange | ExampleParts | string;

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
  if (Array.isArray(given)) return { exchanges: given.map(exchangeOf) };
  const one = given as Exclude<typeof given, readonly Sent[]>;
  if (typeof one === 'string' || !('exchange' in one || 'exchanges' in one))
    return { exchange: exchangeOf(one) };
  return 'exchange' in one ? one : { ...one, exchanges: one.exchanges.map(exchangeOf) };
}

function exchangeOf(sent: Sent): Exchange {
  if (typeof sent === 'string') return example(sent);
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

/** The parts of an exchange that words do not say. */
interface Parts extends ExampleParts {
  /** Its body, as a value. */
  readonly json?: unknown;
  /** The text of the body that was sent. */
  readonly sent?: string;
  /** The second at which it began. */
  readonly second?: number;
}

const keys: readonly string[] = ['none', 'scoped', 'unscoped', 'invalid'] satisfies readonly CredentialKind[];

/** An exchange for examples; its words are the step, the status or `reset`, and the key, such as `nearMiss 401 invalid`. */
export function example(words: string, { json, sent, second, ...parts }: Parts = {}): Exchange {
  const said = words.split(' ').map((word): ExampleParts => {
    if (keys.includes(word)) return { credential: word as CredentialKind };
    if (word === 'reset') return { failure: word };
    return /^\d+$/.test(word) ? { status: Number(word) } : { step: word };
  });
  return exampleExchange({
    ...Object.assign({}, ...said),
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(second !== undefined && { startedAt: new Date(second * 1_000).toISOString() }),
    ...parts,
    ...(sent !== undefined && { request: { ...parts.request, body: exampleBody(sent) } }),
  });
}

/** Exchanges for examples in their order, by words such as `first 200, again 409, late reset`. */
export function stepped(words: string): readonly Exchange[] {
  return words.split(', ').map((one) => example(one));
}
