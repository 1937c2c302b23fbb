import type { Case } from '../harness/checks/case.ts';
import type { ActiveCheck } from '../harness/checks/check.ts';
import type { BodyAnswer } from '../harness/target/find-bodies.ts';

/** The cases that need a return which the service accepts, by requirement in the order of the plan. */
function casesOfLoginReturn(
  active: ReadonlyArray<Case<ActiveCheck>>,
  hasDocument: boolean,
): ReadonlyMap<string, ReadonlyArray<Case<ActiveCheck>>> {
  const byRequirement = new Map<string, Array<Case<ActiveCheck>>>();
  for (const planned of active) {
    const { operation, check, requirement } = planned;
    if (check.needsDocument === true && !hasDocument) continue;
    if (operation.role !== 'consumes-login' || !check.needs(operation).includes('valid-call')) continue;
    byRequirement.set(requirement.id, [...(byRequirement.get(requirement.id) ?? []), planned]);
  }
  return byRequirement;
}

/** Says what stays untested where the service accepts no return of a login; nothing where it accepts one, or was not asked. */
export function describeUntestedReturn(
  active: ReadonlyArray<Case<ActiveCheck>>,
  answers: readonly BodyAnswer[],
  hasDocument: boolean,
): readonly string[] {
  const cases = casesOfLoginReturn(active, hasDocument);
  const id = [...cases.values()][0]?.[0]?.operation.id;
  const answer = answers.find(({ operation }) => operation === id);
  if (answer === undefined || answer.status === 200 || answer.better !== undefined) return [];
  const counts = [...cases].map(([requirement, those]) => `${requirement} ${those.length}`);
  const total = [...cases.values()].reduce((sum, those) => sum + those.length, 0);
  return [
    `${id}: no return is accepted yet; ${total} cases need one and stay untested (${counts.join(', ')})`,
    'The checks of its 200 stay untested too. Without them the verdict is incomplete, and there is no certificate.',
    'If only a person in a browser gets the value: docs/certifying.md#login-returns-that-need-a-browser',
  ];
}
