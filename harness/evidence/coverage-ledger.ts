import type { Operation } from '../../spec/contract.ts';
import { keptAt } from '../kept-at.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CoverageEntry } from '../model/report.ts';

/** How often each operation answered with each status. */
export class CoverageLedger {
  readonly #observed = new Map<string, Map<number, number>>();

  readonly observe = (exchange: Exchange): void => {
    if (exchange.response === undefined || exchange.failure !== undefined) return;
    const { status } = exchange.response;
    const counts = keptAt(this.#observed, exchange.operation, () => new Map());
    counts.set(status, (counts.get(status) ?? 0) + 1);
  };

  /** One entry for each operation and documented status, and for each other status that it answered with. */
  entries(operations: readonly Operation[]): readonly CoverageEntry[] {
    return operations.flatMap((operation) => {
      const counts = this.#observed.get(operation.id) ?? new Map<number, number>();
      const others = [...counts.keys()].filter((status) => !operation.statuses.includes(status));
      const entryOf = (status: number): CoverageEntry => {
        const observed = counts.get(status) ?? 0;
        const reason = observed > 0 ? null : (reasons[status]?.(operation) ?? 'not observed');
        return { operation: operation.id, status, observed, reason };
      };
      return [
        ...operation.statuses.map(entryOf),
        ...others
          .sort((a, b) => a - b)
          .map((status) => ({ ...entryOf(status), undocumented: true as const })),
      ];
    });
  }
}

/** Why a status was not observed, by the properties of the operation. */
const reasons: Readonly<Record<number, (operation: Operation) => string>> = {
  200: () => 'no valid call succeeded',
  400: ({ pathParameters, requestSchema }) =>
    pathParameters.length > 0 || requestSchema !== undefined
      ? 'no call got this status'
      : 'a call without parameters or a body cannot be malformed',
  401: ({ auth }) => (auth === 'none' ? 'the operation needs no credentials' : 'no call got this status'),
  403: ({ scope }) => (scope === undefined ? 'the operation needs no scope' : 'no call got this status'),
  404: ({ pathParameters }) =>
    pathParameters.length > 0
      ? 'no call got this status'
      : 'a call without path parameters names no resource',
  409: () => 'not observed: no request is certain to conflict',
  429: () => 'not observed: the target did not throttle',
};
