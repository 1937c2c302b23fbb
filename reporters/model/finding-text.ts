import type { Acceptance, Finding, Report } from '../../harness/model/report.ts';
import { type Place, reproductionLine } from './replay-command.ts';
import type { Violation } from './violation.ts';

/** The lines of a finding, the same in every report; null for lines without content. */
export interface FindingText {
  readonly title: string;
  /** The defect more exactly than in the title. */
  readonly detail: string | null;
  readonly expectation: string | null;
  readonly contract: string | null;
  readonly seen: string | null;
  /** The ids by which the service may have logged the request. */
  readonly logged: string | null;
  /** Who accepts it, why and until when. */
  readonly accepted: string | null;
  readonly reproduction: string | null;
}

/** `expected …, got …`, or null where the case says neither. */
export function expectationText(violation: Violation, show: (text: string) => string): string | null {
  const { expected, actual } = violation;
  if (expected === null) return actual === null ? null : `got ${show(actual)}`;
  return actual === null ? `expected ${show(expected)}` : `expected ${show(expected)}, got ${show(actual)}`;
}

function loggedText(
  { requestId, traceId, responseIds = [] }: Finding,
  show: (text: string) => string,
): string | null {
  const ids = [
    requestId === undefined ? [] : `x-request-id ${show(requestId)}`,
    traceId === undefined ? [] : `trace ${show(traceId)}`,
    responseIds.map(({ header, value }) => `the response names ${show(header)} ${show(value)}`),
  ].flat();
  return ids.length === 0 ? null : `in your logs: ${ids.join(' · ')}`;
}

function acceptanceText(acceptance: Acceptance, show: (text: string) => string): string {
  const { owner, expires, reason } = acceptance;
  return `accepted by ${show(owner)} until ${show(expires)}: ${show(reason)}`;
}

/** Words a violation; `show` makes each text that can come from a target safe for the medium. */
export function findingText(
  violation: Violation,
  report: Report,
  show: (text: string) => string,
  place?: Place,
): FindingText {
  const { finding } = violation;
  const { requirement, level } = violation;
  const title = `${show(requirement)} ${level}  ${show(violation.operation)}: ${show(violation.headline)}`;
  const detail = violation.headline === violation.message ? null : show(violation.message);
  const expectation = expectationText(violation, show);
  if (finding === null)
    return {
      title,
      detail,
      expectation,
      contract: null,
      seen: null,
      logged: null,
      accepted: null,
      reproduction: null,
    };
  const { times, of } = finding.seen;
  const frequency = `${times < of ? 'intermittent, ' : ''}seen in ${times} of ${of} ${of === 1 ? 'try' : 'tries'}`;
  return {
    title,
    detail,
    expectation,
    contract: `contract: ${show(finding.contract)}`,
    seen: `${frequency} · seed ${report.run.seed} · finding ${show(finding.id)}`,
    logged: loggedText(finding, show),
    accepted: finding.accepted === undefined ? null : acceptanceText(finding.accepted, show),
    reproduction: reproductionLine(report, finding, place),
  };
}
