import { createHash } from 'node:crypto';
import { citation, type Requirement } from '../../spec/requirements.ts';
import type { Violation } from '../model/evaluation.ts';
import type { Finding, Level } from '../model/report.ts';
import { curlLine } from './curl-line.ts';

/** A violation as it is reported; `seen` says in how many of how many tries it came up. */
export function findingOf(
  violation: Violation,
  subject: {
    readonly check: string;
    readonly requirement: Requirement;
    readonly baseUrl: string;
    /** Flags with which curl connects as the run did. */
    readonly curlFlags?: readonly string[];
  },
  seen: Finding['seen'],
): Finding {
  const { requirement } = subject;
  const { exchange, expected, actual, statement, clause, detail } = violation;
  return {
    id: findingId(violation, subject.check),
    level: levelOf(requirement, clause),
    headline: headlineOf(requirement, clause),
    message: statement,
    ...(detail === undefined ? {} : { detail }),
    expected,
    actual,
    contract: citation(requirement),
    seen,
    exchange,
    reproduction: violation.reproduction ?? curlLine(exchange, subject.baseUrl, subject.curlFlags),
  };
}

/** Eight hexadecimal digits that are the same for the same violation of the same case in every run. */
export function findingId(violation: Violation, check: string): string {
  const { exchange, expected, actual, statement, clause = '', detail } = violation;
  // Which of many inputs showed it may differ; what it showed does not.
  const label = detail === undefined ? exchange.label : '';
  const parts = [check, exchange.operation, label, clause, statement, expected, actual];
  return createHash('sha256').update(parts.join('\u0000')).digest('hex').slice(0, 8);
}

/** The defect that violates a requirement or one of its clauses. */
function headlineOf(requirement: Requirement, clause: string | undefined): string {
  return (
    (clause === undefined ? requirement : requirement.clauses[clause])?.violation ?? requirement.violation
  );
}

/** The level of a clause of a requirement, or of the requirement itself. */
export function levelOf(requirement: Requirement, clause: string | undefined): Level {
  if (clause === undefined) return requirement.level;
  const named = requirement.clauses[clause];
  if (named === undefined) throw new Error(`${requirement.id} has no clause ${clause}`);
  return named.level;
}
