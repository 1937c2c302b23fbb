import { createHash } from 'node:crypto';
import { exampleBody, exampleExchange } from '../../harness/checks/example-exchange.ts';
import { defined } from '../../harness/defined.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseResult, Finding, Report } from '../../harness/model/report.ts';
import { findingFor, resultFor } from '../../harness/results/results-for-tests.ts';
import { loadContract } from '../../spec/contract.ts';

/** The operations of the contract as a report lists them. */
export const sampleOperations: Report['operations'] = (await loadContract()).operations.map(
  ({ id, method, path, idIsOurs }) => ({ id, method, path, idIsOurs }),
);

/** A case that passed at an operation. */
export function passedCase(operation: string, check: string, requirement: string): CaseResult {
  const exchanges = [`${operation}-1`, `${operation}-2`];
  const message = 'The requirement passed.';
  return resultFor('pass', 'must', { operation, check, requirement, message, exchanges });
}

/** Ten passed cases at each of the 25 operations. */
export const passedCases: readonly CaseResult[] = sampleOperations.flatMap(({ id }) =>
  Array.from({ length: 10 }, (_, index) =>
    passedCase(id, `area/behaviour-${index + 1}`, `SURFACE-${index + 1}`),
  ),
);

/** An exchange that was answered 200 with a JSON object. */
export function sampleExchange(operation: string, check: string): Exchange {
  const exchange = exampleExchange({
    operation,
    sentBy: check,
    label: 'unknown key',
    status: 200,
    body: '{"ok":true}',
    values: { sessionId: { value: 'abc', source: 'captured' } },
    request: {
      method: 'POST',
      path: '/gateway/api/v1/open/hosted/checkout/sessions',
      headers: [
        ['authorization', '<unknown key>'],
        ['content-type', 'application/json'],
      ],
      credential: { kind: 'invalid', description: 'unknown key', fingerprint: '0123456789ab' },
      body: exampleBody('{"merchant":"atelier-nord"}'),
    },
    startedAt: '2026-08-01T10:00:01.250Z',
    durationMs: 3.5,
  });
  return { ...exchange, id: `${operation}-2` };
}

/** The shell line that the findings of the samples carry. */
export const sampleReproduction: string =
  'curl -X POST \'https://staging.example.com/gateway/api/v1/open/hosted/checkout/sessions\' -H \'authorization: <unknown key>\' -H \'content-type: application/json\' -d \'{"merchant":"atelier-nord","returnUrl":"https://shop.example/return","note":"a\\\\b  c"}\'';

/** A finding, with changes. */
export function sampleFinding(operation: string, check: string, change: Partial<Finding> = {}): Finding {
  return findingFor({
    id: createHash('sha256').update(`${operation} ${check}`).digest('hex').slice(0, 8),
    // A sample with its own statement has the same words as its headline.
    headline: change.message ?? 'An invalid key was accepted',
    exchange: sampleExchange(operation, check),
    reproduction: sampleReproduction,
    ...change,
  });
}

/** A case that violates its requirement. */
export function violatedCase(
  operation: string,
  check: string,
  change: Partial<CaseResult> = {},
  finding: Partial<Finding> = {},
): CaseResult {
  const found = sampleFinding(operation, check, finding);
  const { message, expected, actual, exchange } = found;
  const told = { message, expected, actual, exchanges: [exchange.id], findings: [found] };
  return resultFor('fail', 'must', { operation, check, ...told, ...change });
}

/** An inconclusive case. */
export function openCase(operation: string, check: string, message: string, remedy?: string): CaseResult {
  const told = { operation, check, requirement: 'SCOPE-1', message, ...defined({ remedy }) };
  return resultFor('inconclusive', 'must', told);
}

/** A case that the requirement does not speak of. */
export function inapplicableCase(operation: string, check: string): CaseResult {
  const message = 'The fields of the schema are not known.';
  return resultFor('not-applicable', 'must', { operation, check, requirement: 'SUCCESS-3', message });
}
