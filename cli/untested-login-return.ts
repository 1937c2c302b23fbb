import type { ActiveCheck, Case } from '../harness/checks/check.ts';
import type { BodyAnswer } from '../harness/target/find-bodies.ts';

/** Lists the cases that stay untested because the service accepts no return of a login; empty if it accepts one, or was not asked. */
export function describeUntestedReturn(
  active: ReadonlyArray<Case<ActiveCheck>>,
  answers: readonly BodyAnswer[],
  hasDocument: boolean,
): readonly string[] {
  const cases = active.filter(
    ({ operation, check }) =>
      operation.role === 'consumes-login' &&
      check.needs(operation).includes('valid-call') &&
      (hasDocument || check.needsDocument !== true),
  );
  const id = cases[0]?.operation.id;
  const answer = answers.find(({ operation }) => operation === id);
  if (answer === undefined || answer.status === 200 || answer.better !== undefined) return [];
  const counts = new Map<string, number>();
  for (const { requirement } of cases) counts.set(requirement.id, (counts.get(requirement.id) ?? 0) + 1);
  const counted = [...counts]
    .sort()
    .map((one) => one.join(' '))
    .join(', ');
  return [
    `${id}: no return is accepted yet; ${cases.length} cases need one and stay untested (${counted})`,
    'Nor can its 200 responses be checked. The verdict stays incomplete, and there is no certificate.',
    'If only a person in a browser gets the value: docs/certifying.md#login-returns-that-need-a-browser',
  ];
}
