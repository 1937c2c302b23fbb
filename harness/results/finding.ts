import { createHash } from 'node:crypto';
import { citation, type Requirement, type RequirementClause } from '../../spec/requirements.ts';
import { defined } from '../defined.ts';
import { bodyFormOf, identifyResponder } from '../evidence/identify-responder.ts';
import { responseIdsOf, traceIdOf } from '../evidence/response-ids.ts';
import { firstFew } from '../first-few.ts';
import { groupBy } from '../group-by.ts';
import type { Violation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Finding } from '../model/report.ts';
import { connectionNote, curlLine } from './curl-line.ts';

/** Maximum triggers that a finding names; a finding with more has a cause that almost any request shows. */
const mostTriggers = 40;

/** A violation as reported; `seen` says in how many attempts it occurred, and `triggers` which requests showed it. */
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
  triggers: readonly string[] = [],
): Finding {
  const { requirement, check, baseUrl } = subject;
  const { exchange, expected, actual, statement, kind, deviation, excludable, company } = violation;
  const { level, violation: rule, fix = requirement.fix } = ruleOf(requirement, violation.clause);
  const named = triggersOf(triggers, baseUrl);
  const detail = [violation.detail, connectionNote(exchange)].filter((one) => one !== undefined).join('; ');
  return {
    id: findingId(violation, check),
    level,
    headline: violation.headline ?? rule,
    message: statement,
    ...(detail !== '' && { detail }),
    expected,
    actual,
    contract: citation(requirement),
    seen,
    fix: violation.fix ?? fix,
    ...defined({ company, kind, deviation, excludable, triggers: named.length === 0 ? undefined : named }),
    ...loggedIdsOf(exchange),
    exchange,
    reproduction: violation.reproduction ?? curlLine(exchange, baseUrl, subject.curlFlags),
  };
}

/** In a fixed order, and without the address of the target, which some labels hold. */
function triggersOf(labels: readonly string[], baseUrl: string): readonly string[] {
  const host = baseUrl.replace(/^\w+:\/\/|\/.*/g, '');
  const named = new Set(labels.map((label) => (host === '' ? label : label.replaceAll(host, '{host}'))));
  return named.size > mostTriggers ? [`more than ${mostTriggers} inputs`] : [...named].sort();
}

/** The ids by which the service may have logged a request. */
function loggedIdsOf(exchange: Exchange): Pick<Finding, 'requestId' | 'traceId' | 'responseIds'> {
  const headers = new Map(exchange.request.headers.toReversed());
  const traceId = traceIdOf([headers.get('traceparent') ?? '']);
  const ids = responseIdsOf(exchange);
  const responseIds = ids.length === 0 ? undefined : ids;
  return defined({ requestId: headers.get('x-request-id'), traceId, responseIds });
}

/**
 * Eight hexadecimal digits that are the same for the same violation of the same case in every run. They depend on who answered
 * and how, so that accepting a proxy's page does not accept a later error of the service, and on no sentence, so that
 * rewording breaks no baseline.
 */
export function findingId({ exchange, expected, clause = '', kind = '' }: Violation, check: string): string {
  const responder = identifyResponder(exchange)?.responder.name ?? '';
  const statuses = (expected.match(/\b[1-5]\d\d\b/g) ?? []).join(' ');
  return digestOf([check, exchange.operation, clause, statuses, responder, kind, answerKindOf(exchange)]);
}

/** Other violations of the same finding that its detail quotes. */
const mostQuoted = 3;

/** Violations by the ids of their findings; the first of several with one id quotes the others. */
export function violationsById(violations: readonly Violation[], check: string): Map<string, Violation> {
  const alike = groupBy(violations, (violation) => findingId(violation, check));
  return new Map(
    [...alike].flatMap(([id, [first, ...others]]) => (first ? [[id, quoting(first, others)]] : [])),
  );
}

function quoting(first: Violation, others: readonly Violation[]): Violation {
  const different = others.filter(
    ({ statement, actual }) => statement !== first.statement || actual !== first.actual,
  );
  if (different.length === 0) return first;
  const quoted = [...new Set(different.map((other) => quoteOf(other, first)))];
  const also = `also ${firstFew(quoted, mostQuoted).join('; ')}`;
  return { ...first, detail: first.detail === undefined ? also : `${first.detail}; ${also}` };
}

/** The difference of another violation from the first: its input if they share the statement, and its response if it differs. */
function quoteOf({ statement, expected, actual }: Violation, first: Violation): string {
  const [shared = ''] = /^[^:]*: /.exec(first.statement) ?? [];
  const what = statement.startsWith(shared) ? statement.slice(shared.length) : statement;
  const isSame = expected === first.expected && actual === first.actual;
  // A sentence within another begins with a small letter.
  const said = (what === '' ? statement : what).replace(/^(?:An?|The) /, (word) => word.toLowerCase());
  return isSame && what !== '' ? said : `${said} (expected ${expected}, got ${actual})`;
}

/** Eight hexadecimal digits of the hash of the parts that identify a finding or a root cause. */
export function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\u0000')).digest('hex').slice(0, 8);
}

/** Statuses of an unreachable or overloaded service: accepting one of these must not accept a crash. */
const unavailable = [420, 502, 503, 504, 509, 529];

/** Status class and form of a response, such as `5xx html`. */
function answerKindOf(exchange: Exchange): string {
  const { failure, response } = exchange;
  if (failure !== undefined) return `no answer (${failure.kind})`;
  if (response === undefined) return 'nothing sent';
  const { status } = response;
  const kind = unavailable.includes(status) ? 'unavailable' : `${Math.floor(status / 100)}xx`;
  return `${kind} ${bodyFormOf(exchange)}`;
}

/** A clause of a requirement, or the requirement itself. */
function ruleOf(requirement: Requirement, clause: string | undefined): Requirement | RequirementClause {
  const rule = clause === undefined ? requirement : requirement.clauses[clause];
  if (rule === undefined) throw new Error(`${requirement.id} has no clause ${clause}`);
  return rule;
}
