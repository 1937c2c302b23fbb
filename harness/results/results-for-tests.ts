import { ids } from '../../spec/operation-ids-for-tests.ts';
import type { Requirement } from '../../spec/requirements.ts';
import { type ExampleParts, exampleExchange } from '../checks/example-exchange.ts';
import type { Violation } from '../model/evaluation.ts';
import type { CaseResult, Finding, Level, Outcome } from '../model/report.ts';

/** A requirement with a weaker and a weakest clause. */
export function requirementFor(level: Level = 'must', id = 'AUTH-3'): Requirement {
  return {
    id,
    level,
    title: 'An invalid key is refused',
    violation: 'An invalid key was accepted',
    contract: [{ section: 'Authentication', point: 'rule 4' }],
    rationale: 'why',
    fix: 'how',
    allows: [],
    clauses: {
      weaker: { level: 'should', title: 'weaker', violation: 'not weaker' },
      noted: { level: 'info', title: 'noted', violation: 'not noted' },
    },
  };
}

/** A violation; what is given replaces the usual. */
export function violationOf(parts: Partial<Violation> = {}): Violation {
  return {
    statement: 'an unknown key is refused',
    expected: '401',
    actual: '200',
    exchange: exampleExchange({ status: 200, label: 'unknown key' }),
    ...parts,
  };
}

/** A finding; what is given replaces the usual. */
export function findingFor(parts: Partial<Finding> = {}): Finding {
  return {
    id: '00000001',
    level: 'must',
    message: 'an unknown key is refused',
    expected: '401',
    actual: '200',
    contract: 'Authentication, rule 4',
    seen: { times: 3, of: 3 },
    exchange: exampleExchange({ status: 200 }),
    reproduction: 'curl',
    ...parts,
  };
}

/** A result; what is given replaces the usual. */
export function resultFor(
  outcome: Outcome,
  level: Level = 'must',
  parts: Partial<CaseResult> = {},
): CaseResult {
  return {
    operation: ids.identity,
    check: 'auth/check',
    requirement: 'AUTH-3',
    level,
    outcome,
    message: outcome,
    expected: null,
    actual: null,
    exchanges: [],
    findings: [],
    ...parts,
  };
}

/** Requirements whose checks watch the exchanges of others. */
const watched = /^(?:STATUS-1|SUCCESS|ERROR-[12]|HYGIENE|RATE)/;

let shown = 0;

/** The failed case of a requirement, with one finding of an exchange; each finding has an id of its own. */
export function caseShowing(
  requirement: string,
  parts: ExampleParts = {},
  finding: Partial<Finding> = {},
): CaseResult {
  shown += 1;
  const { operation = 'a', sentBy = watched.test(requirement) ? 'area/probe' : `area/${requirement}` } =
    parts;
  const exchange = exampleExchange({ ...parts, operation, sentBy });
  const id = String(shown).padStart(8, '0');
  return resultFor('fail', 'must', {
    operation,
    requirement,
    check: `area/${requirement}`,
    findings: [findingFor({ id, message: requirement, exchange, ...finding })],
  });
}
