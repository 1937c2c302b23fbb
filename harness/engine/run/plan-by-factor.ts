import type { ActiveCheck, Case } from '../../checks/check.ts';
import { keptAt } from '../../kept-at.ts';
import { plannedRequests } from '../../sampling/step-plan.ts';
import { type Plan, requestsOf, type Sending, sendingCases } from './plan.ts';

/** The factors that the probes of an area vary. */
const factors: Readonly<Record<string, string>> = {
  auth: 'credential',
  scope: 'credential',
  resource: 'path value',
  request: 'body',
  client: 'client headers and query',
  errors: 'two factors at once',
  surface: 'company: concurrent, earlier and intermediate calls',
  session: 'order of calls on sessions',
  login: 'order of calls on logins',
};

/** The planned requests that vary one factor. */
export interface FactorPlan {
  readonly factor: string;
  readonly operations: number;
  readonly requests: number;
}

/** The requests of a plan by varied factor, in the order of their number; valid calls and witnesses vary none. */
export function planByFactor(plan: Plan, sending: Sending): readonly FactorPlan[] {
  const counts = new Map<string, { readonly operations: Set<string>; requests: number }>();
  const add = (factor: string, operation: string, requests: number): void => {
    if (requests === 0) return;
    const count = keptAt(counts, factor, () => ({ operations: new Set<string>(), requests: 0 }));
    count.operations.add(operation);
    count.requests += requests;
  };
  for (const planned of sendingCases(plan, sending)) {
    const { id } = planned.operation;
    const varied = variedRequests(planned, sending);
    add(factorOf(planned.check.area), id, varied);
    add('none: valid calls and comparisons', id, requestsOf(planned, sending) - varied);
  }
  return [...counts]
    .map(([factor, { operations, requests }]) => ({ factor, operations: operations.size, requests }))
    .sort((a, b) => b.requests - a.requests);
}

/** The factor that the probes of the checks in an area vary. */
export function factorOf(area: string): string {
  return factors[area] ?? 'your custom checks';
}

function variedRequests(planned: Case<ActiveCheck>, sending: Sending): number {
  const { check, operation } = planned;
  if (check.steps === undefined) return requestsOf(planned, sending);
  return Object.values(check.steps)
    .filter(({ role }) => role === 'probe')
    .reduce((sum, step) => sum + plannedRequests(step, operation, sending), 0);
}
