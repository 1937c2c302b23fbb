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

/** Who answered, and with which status. */
export function answerOf({ exchange, answeredBy }: Finding): string {
  return `${describeAnswer(exchange)} ${answeredBy?.name ?? ''}`;
}

/** Whether the finding is about the supplied document, not about the service. */
export function isOfDocument({ exchange }: Pick<Finding, 'exchange'>): boolean {
  return exchange.case.check === 'surface/supplied-document-matches';
}
