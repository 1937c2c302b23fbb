import { expect, test } from 'vitest';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import { startFault } from '../../fixtures/faults/start-fault.ts';
import { issueByRequest } from '../../fixtures/mutators/issue-by-request-for-tests.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseResult } from '../../harness/model/report.ts';
import { evaluateService } from './evaluate-service.ts';

interface Trace {
  /** What each case said, exchanges by id. */
  readonly results: unknown;
  /** What each case sent. */
  readonly requests: Readonly<Record<string, readonly string[]>>;
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

async function trace(name: string | undefined, concurrency: number): Promise<Trace> {
  const fault = allFaults.find((one) => one.name === name);
  const alter = [issueByRequest];
  const service = fault === undefined ? await startService({ alter }) : await startFault(fault, { alter });
  const requests: Record<string, string[]> = {};
  const observe = (exchange: Exchange): void => {
    const id = `${exchange.case.operation}/${exchange.case.check}/${exchange.attempt}`;
    requests[id] = [
      ...(requests[id] ?? []),
      `${exchange.role} ${withoutPort(exchange.label)}: ${sent(exchange)}`,
    ].sort();
  };
  try {
    // Whose turn it is when the budget runs out depends on the order of answers.
    const options = { seed: 7, concurrency, maxRequests: 4_000 };
    const { results } = await evaluateService(service, { options, observe });
    return { results: results.map(told).sort((a, b) => (a.id < b.id ? -1 : 1)), requests };
  } finally {
    await service.close();
  }
}

/** A label without the port of the service, which differs between runs. */
function withoutPort(label: string): string {
  return label.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1');
}

function sent({ request }: Exchange): string {
  return `${request.method} ${request.path} ${request.credential.description} ${request.body?.text ?? ''}`;
}

function told({ findings, ...result }: CaseResult): { readonly id: string } & Record<string, unknown> {
  return {
    ...result,
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
