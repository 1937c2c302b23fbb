import { isBelowStore, type Operation } from '../../spec/operation.ts';
import { defined } from '../defined.ts';
import type { Exchange } from '../model/exchange.ts';
import type { PassiveCheck } from './check.ts';

interface AnswerRule
  extends Pick<PassiveCheck, 'requirement' | 'title'>,
    Partial<Pick<PassiveCheck, 'applies' | 'mayDependOnHeaders' | 'notApplicableReason'>> {
  readonly statement: string | ((exchange: Exchange) => string);
  readonly expected: string | ((operation: Operation) => string);
  /** The defect of a response; `holds` if there is none, undefined if the rule does not apply to it. */
  readonly look: (exchange: Exchange, operation: Operation) => string | undefined;
  /** The weaker clause that a wrong answer violates. */
  readonly clauseOf?: (exchange: Exchange, operation: Operation) => string | undefined;
}

/** Builds a check of every response of a run; by default it applies to all operations, and each must show a relevant response. */
export function everyAnswer({ statement, expected, look, clauseOf, ...rest }: AnswerRule): PassiveCheck {
  return {
    applies: () => true,
    notApplicableReason: () => undefined,
    ...rest,
    kind: 'passive',
    evaluate: (exchange, operation) => {
      const actual = look(exchange, operation);
      if (actual === undefined || actual === 'holds') return actual;
      return {
        statement: typeof statement === 'string' ? statement : statement(exchange),
        expected: typeof expected === 'string' ? expected : expected(operation),
        actual,
        ...defined({ clause: clauseOf?.(exchange, operation) }),
        exchange,
      };
    },
  };
}

/** Why an operation may never have answered an error; undefined where keys, values or bodies can cause one. */
export function noErrorSeen(operation: Operation): string | undefined {
  const { auth, pathParameters, requestSchema } = operation;
  if (isBelowStore(operation))
    return 'operations below a store need never answer an error, and none was observed';
  return auth === 'none' && pathParameters.length === 0 && requestSchema === undefined
    ? 'a public read without parameters need never answer an error, and none was observed'
    : undefined;
}
