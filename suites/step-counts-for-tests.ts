import { type Catalogue, loadCatalogue } from '../harness/checks/catalogue.ts';
import { countOf } from '../harness/checks/step.ts';
import type { Exchange } from '../harness/model/exchange.ts';

/** What a run sent beyond what the steps of its checks announce. */
export interface Unannounced {
  /** Steps that an attempt sent more often than announced. */
  readonly excess: readonly string[];
  /** Requests of checks with steps that belong to no step. */
  readonly stray: readonly string[];
  /** How many steps were sent at all. */
  readonly steps: number;
}

/** Compares exchanges with the steps that sent them; `leavesOut` names steps whose follow-ups are no matter of this run. */
export async function unannounced(
  sent: readonly Exchange[],
  fuzzRuns: number,
  leavesOut: (step: { readonly expects?: unknown }) => boolean = () => false,
): Promise<Unannounced> {
  const { checks, contract } = await loadCatalogue();
  const counts = new Map<string, { readonly most: number; count: number }>();
  const stray: string[] = [];
  for (const { id, case: sender, attempt, step: name, role, label } of sent) {
    const steps = stepsOf(checks, sender.check);
    if (steps === undefined) continue;
    const step = name === undefined ? undefined : steps[name];
    if (step === undefined) {
      if (!['setup', 'cleanup'].includes(role)) stray.push(`${id} ${role} ${label}`);
      continue;
    }
    if (leavesOut(step)) continue;
    const key = `${sender.operation}/${sender.check}, attempt ${attempt}, ${name}`;
    const operation = contract.operation(sender.operation);
    const known = counts.get(key) ?? { most: countOf(step.most, operation, fuzzRuns), count: 0 };
    known.count += 1;
    counts.set(key, known);
  }
  return {
    excess: [...counts].filter(([, { most, count }]) => count > most).map(([key]) => key),
    stray,
    steps: counts.size,
  };
}

function stepsOf(checks: Catalogue['checks'], id: string) {
  const check = checks.find((one) => one.id === id);
  return check?.kind === 'active' ? check.steps : undefined;
}
