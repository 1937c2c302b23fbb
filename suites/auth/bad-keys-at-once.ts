import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Step } from '../../harness/checks/step.ts';
import { hasStatus, isOk } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';
import { ridersOf } from '../../harness/requests/riders.ts';

/** Makes calls with bad keys at once, as a service may let through what it cannot look up in time; if one is accepted, makes it again alone. */
export async function callAtOnce(
  client: CaseClient,
  keys: ReadonlyArray<readonly [Step, Credential]>,
  alone: Step,
  values: CallChanges,
): Promise<void> {
  const crowd = await Promise.all(
    keys.map(async ([step, credential]) => {
      const exchange = client.wants(step) ? await client.call(step, { ...values, credential }) : undefined;
      return exchange !== undefined && isOk(exchange) ? [{ exchange, credential }] : [];
    }),
  );
  for (const { exchange, credential } of crowd.flat().slice(0, 1))
    await client.call(alone, { ...values, credential, neutral: ridersOf(exchange) });
}

/** What is said of a bad key that was accepted in such a crowd, and refused alone. */
export function companyOf(exchange: Exchange, alone: readonly Exchange[]): Partial<Violation> {
  return isOk(exchange) && alone.some((one) => hasStatus(one, 401))
    ? { company: 'with other calls with bad keys under way', deviation: 'bad keys at once' }
    : {};
}
