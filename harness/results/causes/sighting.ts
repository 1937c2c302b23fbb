import { describeAnswer } from '../../evidence/answer.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { CaseResult, Finding } from '../../model/report.ts';

/** A finding with the case that reports it. */
export interface Sighting extends Finding, Pick<CaseResult, 'requirement' | 'operation' | 'check'> {}

/** Joins a finding with its case. */
export function sightingOf({ requirement, operation, check }: CaseResult, finding: Finding): Sighting {
  return { ...finding, requirement, operation, check };
}

/** Whether an exchange is the valid call of its operation without any change. */
export function isPlain({ role }: Exchange): boolean {
  return role === 'control' || role === 'setup';
}

/** The status of the response, complete or not; 0 for no response. */
export function statusIn({ exchange }: Pick<Finding, 'exchange'>): number {
  return exchange.response?.status ?? 0;
}

/** Whether every try showed it. */
export function isSteady({ seen }: Pick<Finding, 'seen'>): boolean {
  return seen.times === seen.of;
}

/** The responder and the status. */
export function answerOf({ exchange, answeredBy }: Finding): string {
  return `${describeAnswer(exchange)} ${answeredBy?.name ?? ''}`;
}

/** Whether the finding is about the supplied document, not about the service. */
export function isOfDocument({ exchange }: Pick<Finding, 'exchange'>): boolean {
  return exchange.case.check === 'surface/supplied-document-matches';
}

/** Requirements on valid calls, regardless of earlier calls. */
export const ofValidCalls: RegExp = /^(?:AUTH-[145]|SCOPE-[23]|SURFACE-1|SESSION-1|LOGIN-1)$/;

/** Requirements on the contents of a response, regardless of the request. */
export const onContents: RegExp = /^(?:ERROR-2|SUCCESS-3|SURFACE-2|HYGIENE|RATE)/;

/** Whether a sequence of calls shows it, regardless of the contents of the last call. */
export function isOfSequence({ requirement }: Sighting): boolean {
  return /^(?:SESSION|LOGIN)/.test(requirement);
}

/** Whether the call got no answer, or one that says that the server failed. */
export function isFailure({ exchange }: Pick<Finding, 'exchange'>): boolean {
  return exchange.failure !== undefined || statusIn({ exchange }) >= 500;
}
