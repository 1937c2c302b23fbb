import type { RunContext } from '../../calls/run-context.ts';
import type { ActiveCheck, Case } from '../../checks/check.ts';
import { statusOf } from '../../evidence/answer.ts';
import type { Exchange } from '../../model/exchange.ts';
import { attemptCase } from './run-case.ts';

/** Cases that one run repeats in order to confirm violations. */
const mostConfirmed = 12;

/** Number of the first attempt that only confirms what passive checks saw; such attempts are not evaluated by their case. */
export const firstConfirmingAttempt = 91;

/** Repeats the cases whose exchanges alone showed a violation of a passive check, so that its finding tells how often it occurs. */
export async function confirmViolations(
  context: RunContext,
  active: ReadonlyArray<Case<ActiveCheck>>,
  unconfirmed: readonly Exchange[],
): Promise<void> {
  const cases = new Map<string, { readonly planned: Case<ActiveCheck>; readonly shown: Exchange[] }>();
  for (const exchange of unconfirmed) {
    // Which call is throttled depends on the pace: repeating the case shows nothing.
    if (statusOf(exchange) === 429) continue;
    const { check, operation } = exchange.case;
    const planned = active.find((one) => one.check.id === check && one.operation.id === operation);
    if (planned === undefined) continue;
    const known = cases.get(planned.id);
    if (known === undefined) cases.set(planned.id, { planned, shown: [exchange] });
    else known.shown.push(exchange);
  }
  const chosen = [...cases.values()]
    .sort((a, b) => a.planned.id.localeCompare(b.planned.id))
    .slice(0, mostConfirmed);
  for (const { planned, shown } of chosen) {
    const earlier = { shown, areAll: false };
    for (const attempt of [firstConfirmingAttempt, firstConfirmingAttempt + 1])
      await attemptCase(context, planned, attempt, earlier);
  }
}
