import type { SequenceCall } from './call-sequence.ts';

/**
 * What is known of a session. `unknown`: other sessions were created or cancelled since, which may end it as far as the
 * contract says, or a call had an unknown effect.
 */
export type Knowledge = 'open' | 'ended' | 'unknown';

/** The statuses that conform at one place of a sequence, and the defect that any other status shows. */
export interface SequenceRule {
  readonly defect: string;
  readonly statuses: readonly number[];
}

/** The rule for a call on a session of which this much is known. */
export function ruleFor({ act, credential }: SequenceCall, knowledge: Knowledge): SequenceRule {
  const isOpen = knowledge === 'open';
  if (act === 'create') {
    return { defect: 'A session could not be created after calls on other sessions', statuses: [200, 409] };
  }
  if (act === 'read' && credential !== undefined) {
    const statuses = isOpen ? [401, 403] : [401, 403, 404];
    return { defect: 'A read with wrong credentials was not refused', statuses };
  }
  if (act === 'read') {
    if (isOpen) return { defect: 'An open session could not be read', statuses: [200] };
    return { defect: 'A cancelled session was neither read nor reported as not found', statuses: [200, 404] };
  }
  if (credential !== undefined) {
    const statuses = isOpen ? [401, 403] : [401, 403, 404, 409];
    return { defect: 'A cancel with wrong credentials was not refused', statuses };
  }
  if (isOpen) return { defect: 'An open session could not be cancelled', statuses: [200] };
  return { defect: 'A repeated cancel was answered with an unexpected status', statuses: [200, 404, 409] };
}
