import type { Operation } from '../../spec/contract.ts';
import type { Requirement } from '../../spec/requirements.ts';
import type { Check, IdentifiedCheck } from './check.ts';

/** One check on one operation. */
export interface Case<C extends Check = Check> {
  /** `operationId/area/slug`. */
  readonly id: string;
  readonly operation: Operation;
  readonly check: IdentifiedCheck<C>;
  readonly requirement: Requirement;
}
