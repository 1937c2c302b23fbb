import type { Step } from '../../harness/checks/step.ts';
import { endOf } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';

/** Steps with valid calls on connections that carried others. */
type AfterOther = 'afterRefused' | 'afterMiss';

/** What else was under way, or had come before on the connection. */
export function companyOf(
  exchange: Exchange,
  crowd: readonly Exchange[],
  { afterRefused = [], afterMiss = [] }: Readonly<Partial<Record<AfterOther, readonly Exchange[]>>> = {},
): Pick<Violation, 'company'> {
  if (afterRefused.includes(exchange)) return { company: 'on a connection that carried a refused call' };
  if (afterMiss.includes(exchange))
    return { company: 'on a connection that carried a call which found nothing' };
  if (!crowd.includes(exchange)) return {};
  const count = crowd.filter(
    (one) => startOf(one) <= endOf(exchange) && endOf(one) >= startOf(exchange),
  ).length;
  return count < 2 ? {} : { company: `with ${count} calls of the operation under way` };
}

function startOf({ startedAt }: Exchange): number {
  return Date.parse(startedAt);
}

/** A target that keeps a refusal with its connection returns it to a public read on it. */
export async function callAfterRefused(
  client: CaseClient,
  { refused, afterRefused }: Readonly<Record<'refused' | 'afterRefused', Step>>,
): Promise<void> {
  const { unscoped, none } = client.keys;
  const connection = client.openConnection();
  const operation = client.withRole('initiates-login');
  await client.call(refused, {
    operation,
    credential: unscoped ?? none,
    placeholders: true,
    connection,
  });
  await client.call(afterRefused, { connection });
}
