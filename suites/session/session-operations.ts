import type { Operation, OperationRole } from '../../spec/operation.ts';

/** Tells operations with one of these roles. */
export function hasRole(...roles: readonly OperationRole[]): (operation: Operation) => boolean {
  return ({ role }) => role !== undefined && roles.includes(role);
}

/** The remedy for a target that returns one session for equal creates. */
export function uniqueBodyRemedy({ peers }: Operation): string {
  return `bodies: { ${peers?.['creates-session']}: { …, <a field that tells creates apart>: "{unique}" } }`;
}
