import { createHash } from 'node:crypto';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseResult, Finding } from '../../harness/model/report.ts';
import { sampleOperations } from './sample-operations-for-tests.ts';

/** A case that passed at an operation. */
export function passedCase(operation: string, check: string, requirement: string): CaseResult {
  return {
    operation,
    check,
    requirement,
    level: 'must',
    outcome: 'pass',
    message: 'The requirement passed.',
    expected: null,
    actual: null,
    exchanges: [`${operation}-1`, `${operation}-2`],
    findings: [],
  };
}

/** Ten passed cases at each of the 25 operations. */
export const passedCases: readonly CaseResult[] = sampleOperations.flatMap(({ id }) =>
  Array.from({ length: 10 }, (_, index) =>
    passedCase(id, `area/behaviour-${index + 1}`, `SURFACE-${index + 1}`),
  ),
);

/** An exchange that was answered 200 with a JSON object. */
export function sampleExchange(operation: string, check: string): Exchange {
  return {
    id: `${operation}-2`,
    operation,
    case: { check, operation },
    role: 'probe',
    label: 'unknown key',
    attempt: 1,
    request: {
      method: 'POST',
      path: '/gateway/api/v1/open/hosted/checkout/sessions',
      headers: [
        ['authorization', '<unknown key>'],
        ['content-type', 'application/json'],
      ],
      credential: { kind: 'invalid', description: 'unknown key', fingerprint: '0123456789ab' },
      values: { sessionId: { value: 'abc', source: 'captured' } },
      body: {
        text: '{"merchant":"atelier-nord"}',
        encoding: 'utf-8',
        bytes: 27,
        truncated: false,
        json: 'object',
      },
      connection: 'shared',
    },
    response: {
      status: 200,
      headers: [['content-type', 'application/json']],
      body: { text: '{"ok":true}', encoding: 'utf-8', bytes: 11, truncated: false, json: 'object' },
    },
    startedAt: '2026-08-01T10:00:01.250Z',
    durationMs: 3.5,
  };
}

/** The shell line that the findings of the samples carry. */
export const sampleReproduction: string =
  'curl -X POST \'https://staging.example.com/gateway/api/v1/open/hosted/checkout/sessions\' -H \'authorization: <unknown key>\' -H \'content-type: application/json\' -d \'{"merchant":"atelier-nord","returnUrl":"https://shop.example/return","note":"a\\\\b  c"}\'';

/** A finding, with changes. */
export function sampleFinding(operation: string, check: string, change: Partial<Finding> = {}): Finding {
  return {
    id: createHash('sha256').update(`${operation} ${check}`).digest('hex').slice(0, 8),
    level: 'must',
    // A sample with its own statement has the same words as its headline.
    headline: change.message ?? 'An invalid key was accepted',
    message: 'an unknown key is refused',
    expected: '401',
    actual: '200',
    contract: 'Authentication, rule 4',
    seen: { times: 3, of: 3 },
    exchange: sampleExchange(operation, check),
    reproduction: sampleReproduction,
    ...change,
  };
}

/** A case that violates its requirement. */
export function violatedCase(
  operation: string,
  check: string,
  change: Partial<CaseResult> = {},
  finding: Partial<Finding> = {},
): CaseResult {
  const found = sampleFinding(operation, check, finding);
  return {
    operation,
    check,
    requirement: 'AUTH-3',
    level: 'must',
    outcome: 'fail',
    message: found.message,
    expected: found.expected,
    actual: found.actual,
    exchanges: [found.exchange.id],
    findings: [found],
    ...change,
  };
}

/** An inconclusive case. */
export function openCase(operation: string, check: string, message: string, remedy?: string): CaseResult {
  return {
    ...passedCase(operation, check, 'SCOPE-1'),
    outcome: 'inconclusive',
    message,
    exchanges: [],
    ...(remedy === undefined ? {} : { remedy }),
  };
}

/** A case that the requirement does not speak of. */
export function inapplicableCase(operation: string, check: string): CaseResult {
  return {
    ...passedCase(operation, check, 'SUCCESS-3'),
    outcome: 'not-applicable',
    message: 'The fields of the schema are not known.',
    exchanges: [],
  };
}
