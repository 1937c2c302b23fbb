import { type Catalogue, loadCatalogue } from '../harness/checks/catalogue.ts';
import type { Steps } from '../harness/checks/step.ts';
import type { Exchange } from '../harness/model/exchange.ts';
import { type Effort, plannedRequests } from '../harness/sampling/step-plan.ts';

/** What a run sent beyond its plan. */
export interface Unplanned {
  /** Steps that an attempt sent more often than planned. */
  readonly excess: readonly string[];
  /** Requests of checks with steps that belong to no step. */
  readonly stray: readonly string[];
  /** How many steps were sent at all. */
  readonly steps: number;
}

/** Compares exchanges with the steps that sent them. */
export async function unplanned(sent: readonly Exchange[], effort: Effort): Promise<Unplanned> {
  const { checks, contract } = await loadCatalogue();
  const counts = new Map<string, { readonly planned: number; count: number }>();
  const stray: string[] = [];
  for (const { id, case: sender, attempt, step: name, role, label } of sent) {
    const steps = stepsOf(checks, sender.check);
    if (steps === undefined) continue;
    const step = name === undefined ? undefined : steps[name];
    if (step === undefined) {
      if (!['setup', 'cleanup'].includes(role)) stray.push(`${id} ${role} ${label}`);
      continue;
    }
    const key = `${sender.operation}/${sender.check}, attempt ${attempt}, ${name}`;
    const operation = contract.operation(sender.operation);
    const known = counts.get(key) ?? { planned: plannedRequests(step, operation, effort), count: 0 };
    known.count += 1;
    counts.set(key, known);
  }
  return {
    excess: [...counts].flatMap(([key, { planned, count }]) =>
      count > planned ? [`${key}: ${count} for ${planned}`] : [],
    ),
    stray,
    steps: counts.size,
  };
}

function stepsOf(checks: Catalogue['checks'], id: string): Steps | undefined {
  const check = checks.find((one) => one.id === id);
  return check?.kind === 'active' ? check.steps : undefined;
}
