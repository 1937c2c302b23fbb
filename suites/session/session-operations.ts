import type { Operation } from '../../spec/operation.ts';

/** Whether an operation creates sessions. */
export function isCreateOperation({ role }: Operation): boolean {
  return role === 'creates-session';
}

/** Whether an operation reads sessions. */
export function isReadOperation({ role }: Operation): boolean {
  return role === 'reads-session';
}

/** Whether an operation cancels sessions. */
export function isCancelOperation({ role }: Operation): boolean {
  return role === 'ends-session';
}

/** Whether an operation creates, reads or cancels sessions. */
export function isSessionOperation(operation: Operation): boolean {
  return isCreateOperation(operation) || isReadOperation(operation) || isCancelOperation(operation);
}

/** The remedy for a target that returns one session for equal creates. */
export function uniqueBodyRemedy({ peers }: Operation): string {
  return `bodies: { ${peers?.['creates-session']}: { …, <a field that tells creates apart>: "{unique}" } }`;
}
