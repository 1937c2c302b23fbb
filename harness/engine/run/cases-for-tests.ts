import type { Operation } from '../../../spec/contract.ts';
import type {
  ActiveCheck,
  Case,
  CollectiveCheck,
  IdentifiedCheck,
  PassiveCheck,
} from '../../checks/check.ts';
import { exampleExchange, exampleOperation } from '../../checks/example-exchange.ts';
import { pass } from '../../checks/outcomes.ts';
import { statusOf } from '../../evidence/answer.ts';
import type { Violation } from '../../model/evaluation.ts';
import type { Exchange } from '../../model/exchange.ts';
import { requirementFor } from '../../results/results-for-tests.ts';

function common<Kind extends string>(kind: Kind) {
  const names = { id: `area/${kind}`, title: kind, area: 'area', requirement: 'AUTH-3' };
  return { kind, ...names, applies: () => true, examples: [] };
}

function caseOf<C extends IdentifiedCheck>(check: C, operation: Operation): Case<C> {
  return { id: `${operation.id}/${check.id}`, operation, requirement: requirementFor(), check };
}

/** An active case; the check does nothing and passes, unless said otherwise. */
export function activeCase(
  check: Partial<IdentifiedCheck<ActiveCheck>> = {},
  operation: Operation = exampleOperation(),
): Case<ActiveCheck> {
  const usual = {
    ...common('active'),
    needs: () => [],
    requests: () => 1,
    probe: async () => undefined,
    evaluate: () => pass('held'),
  };
  return caseOf({ ...usual, ...check }, operation);
}

/** A passive case; the check asks that every answer has status 200, unless said otherwise. */
export function passiveCase(check: Partial<PassiveCheck> = {}): Case<PassiveCheck> {
  const usual = {
    ...common('passive'),
    evaluate: (exchange: Exchange) => {
      const status = statusOf(exchange);
      if (status === undefined) return undefined;
      return status === 200 ? 'holds' : notOk(exchange);
    },
    notApplicableReason: () => undefined,
  } as const;
  return caseOf({ ...usual, ...check }, exampleOperation());
}

/** A collective case of an operation; the check finds all that was not answered 200. */
export function collectiveCase(id: string, check: Partial<CollectiveCheck> = {}): Case<CollectiveCheck> {
  const usual = {
    ...common('collective'),
    dedupeKey: (exchange: Exchange) => `${exchange.operation} ${statusOf(exchange)}`,
    evaluate: () => pass('held'),
  };
  return caseOf({ ...usual, ...check }, exampleOperation({ id }));
}

/** That an exchange was not answered 200. */
export function notOk(exchange: Exchange): Violation {
  return { statement: 'is answered 200', expected: '200', actual: String(statusOf(exchange)), exchange };
}

/** An exchange of one kind, told apart by its id. */
export function numbered(
  id: string,
  parts: Parameters<typeof exampleExchange>[0] & { at?: string } = {},
): Exchange {
  const { at = '2026-01-01T00:00:00.000Z', ...rest } = parts;
  return { ...exampleExchange({ status: 200, ...rest }), id, startedAt: at };
}
