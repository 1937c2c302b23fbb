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

/** An active case; the check does nothing and passes, unless said otherwise. */
export function activeCase(
  check: Partial<IdentifiedCheck<ActiveCheck>> = {},
  operation: Operation = exampleOperation(),
): Case<ActiveCheck> {
  return {
    id: `${operation.id}/area/active`,
    operation,
    requirement: requirementFor(),
    check: {
      kind: 'active',
      id: 'area/active',
      area: 'area',
      requirement: 'AUTH-3',
      title: 'active',
      applies: () => true,
      needs: () => [],
      requests: () => 1,
      probe: async () => undefined,
      evaluate: () => pass('held'),
      examples: [],
      ...check,
    },
  };
}

/** A passive case; the check asks that every answer has status 200, unless said otherwise. */
export function passiveCase(check: Partial<PassiveCheck> = {}): Case<PassiveCheck> {
  const operation = exampleOperation();
  return {
    id: `${operation.id}/area/passive`,
    operation,
    requirement: requirementFor(),
    check: {
      kind: 'passive',
      id: 'area/passive',
      area: 'area',
      requirement: 'AUTH-3',
      title: 'passive',
      applies: () => true,
      evaluate: (exchange) => {
        const status = statusOf(exchange);
        if (status === undefined) return undefined;
        return status === 200 ? 'holds' : notOk(exchange);
      },
      notApplicableReason: () => undefined,
      examples: [],
      ...check,
    },
  };
}

/** A collective case of an operation; the check finds all that was not answered 200. */
export function collectiveCase(id: string, check: Partial<CollectiveCheck> = {}): Case<CollectiveCheck> {
  const operation = exampleOperation({ id });
  return {
    id: `${id}/area/collective`,
    operation,
    requirement: requirementFor(),
    check: {
      kind: 'collective',
      id: 'area/collective',
      area: 'area',
      requirement: 'AUTH-3',
      title: 'collective',
      applies: () => true,
      dedupeKey: (exchange) => `${exchange.operation} ${statusOf(exchange)}`,
      evaluate: () => pass('held'),
      examples: [],
      ...check,
    },
  };
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
