import type { Operation } from '../../spec/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CoverageEntry } from '../model/report.ts';

/** How often each operation was seen to answer each documented status. */
export class CoverageLedger {
  readonly #observed = new Map<string, number>();

  readonly observe = (exchange: Exchange): void => {
    if (exchange.response === undefined || exchange.failure !== undefined) return;
    const key = `${exchange.operation} ${exchange.response.status}`;
    this.#observed.set(key, (this.#observed.get(key) ?? 0) + 1);
  };

  /** One entry for each operation and documented status. */
  entries(operations: readonly Operation[]): readonly CoverageEntry[] {
    return operations.flatMap((operation) =>
      operation.statuses.map((status) => {
        const observed = this.#observed.get(`${operation.id} ${status}`) ?? 0;
        return {
          operation: operation.id,
          status,
          observed,
          reason: observed > 0 ? null : whyNotObserved(operation, status),
        };
      }),
    );
  }
}

function whyNotObserved(operation: Operation, status: number): string {
  const takesInput = operation.pathParameters.length > 0 || operation.requestSchema !== undefined;
  switch (status) {
    case 200:
      return 'no valid call succeeded';
    case 400:
      return takesInput
        ? 'nothing that was sent was answered so'
        : 'a call without parameters and body has nothing to be wrong';
    case 401:
      return operation.auth === 'none' ? 'the operation needs no credentials' : 'no call was refused so';
    case 403:
      return operation.scope === undefined ? 'the operation needs no scope' : 'no call was refused so';
    case 404:
      return operation.pathParameters.length > 0
        ? 'no call was answered so'
        : 'a call without path parameters names no resource';
    case 409:
      return 'not observed: no request is bound to conflict';
    case 429:
      return 'not observed: the target did not throttle';
    default:
      return 'not observed';
  }
}
