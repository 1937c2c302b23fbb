import { expect, test } from 'vitest';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import { startFault } from '../../fixtures/faults/start-fault.ts';
import {
  type RunningService,
  type ServiceOptions,
  startService,
} from '../../fixtures/reference-service/start-service.ts';
import type { CaseResult } from '../../harness/model/report.ts';
import { type Trace, traceRequests } from './trace-requests.ts';

interface SaidAndSent extends Pick<Trace, 'requests'> {
  /** What each case said, exchanges by id. */
  readonly results: unknown;
}

const faults = [
  'key-is-compared-as-prefix',
  'every-404-has-a-shape-of-its-own',
  'unknown-decoration-crashes',
];

test.each([undefined, ...faults])(
  'the same seed sends the same and says the same at any concurrency, of %s',
  async (fault) => {
    const [first, ...others] = [
      await trace(fault, 1),
      await trace(fault, 3),
      await trace(fault, 8),
      await trace(fault, 16),
    ];
    for (const other of others) {
      expect(other.requests).toEqual(first?.requests);
      expect(other.results).toEqual(first?.results);
    }
  },
);

async function trace(name: string | undefined, concurrency: number): Promise<SaidAndSent> {
  const fault = allFaults.find((one) => one.name === name);
  const start = (options: ServiceOptions): Promise<RunningService> =>
    fault === undefined ? startService(options) : startFault(fault, options);
  // Whose turn it is when the budget runs out depends on the order of answers.
  const { requests, results } = await traceRequests(start, { seed: 7, concurrency, maxRequests: 4_000 });
  return { results: results.map(told).sort((a, b) => (a.id < b.id ? -1 : 1)), requests };
}

function told({
  findings,
  exchanges,
  ...result
}: CaseResult): { readonly id: string } & Record<string, unknown> {
  return {
    ...result,
    // Calls at once are answered in any order.
    exchanges: exchanges.toSorted(),
    id: `${result.operation}/${result.check}`,
    findings: findings.map(({ id, expected, actual, message, seen, exchange }) => ({
      id,
      expected,
      actual,
      message,
      seen,
      exchange: exchange.id,
    })),
  };
}
