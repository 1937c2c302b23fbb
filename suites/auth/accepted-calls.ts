import type { CaseClient } from '../../harness/calls/case-client.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { attemptControl } from '../../harness/checks/steady-control.ts';
import type { Step } from '../../harness/checks/step.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';
import type { Operation } from '../../spec/operation.ts';

/**
 * Sends valid calls with a good key on a connection that carried calls of others: a target that keeps a refusal by
 * connection or address returns it to the next client. Sends nothing where no such call is planned.
 */
export async function callAfterOthers(
  client: CaseClient,
  { other, after }: Readonly<Record<'other' | 'after', Step>>,
  others: readonly Credential[],
  credential: Credential,
): Promise<readonly Exchange[]> {
  if (!client.plans(after)) return [];
  const connection = client.openConnection();
  let parameters: Readonly<Record<string, string>> = {};
  for (const one of others) {
    const changes = { label: `with ${one.description}`, credential: one, connection, parameters };
    parameters = sentValues(await client.call(other, changes));
  }
  return client.repeat(after, { credential, connection, parameters });
}

/** Makes valid calls of other operations until one is answered with 200, to see what a key is good for. */
export async function askElsewhere(
  client: CaseClient,
  step: Step,
  operations: readonly Operation[],
  credential: Credential,
): Promise<void> {
  const label = `is the ${credential.description} accepted elsewhere?`;
  for (const operation of operations) {
    await attemptControl(client, step, { operation, label, credential });
    const last = client.exchanges.at(-1);
    if (last?.operation === operation.id && statusOf(last) === 200) return;
  }
}

/** How valid calls with a good key must not be refused. */
export interface AcceptanceRule {
  readonly status: 401 | 403;
  /** The headline of a call that was refused so. */
  readonly statement: string;
  /** Whether a call was accepted, as far as the rule goes. */
  readonly isAccepted: (call: Exchange) => boolean;
  /** Why a refused call may be right. */
  readonly doubt: (refused: Exchange) => Evaluation | undefined;
  /** What came before the calls that were not alone. */
  readonly company: string;
}

/** Evaluates valid calls with good keys: some alone, and some after calls of others. */
export function evaluateAcceptance(
  alone: readonly Exchange[],
  afterOthers: readonly Exchange[],
  { status, statement, isAccepted, doubt, company }: AcceptanceRule,
): Evaluation {
  const calls = [...alone, ...afterOthers];
  const [first] = calls;
  if (first === undefined) return inconclusive('no valid call was sent');
  const refused = calls.filter((one) => statusOf(one) === status);
  const needsCompany = (exchange: Exchange): boolean =>
    afterOthers.includes(exchange) && alone.some((one) => isAccepted(one) && isSameKey(one, exchange));
  const violations = refused
    .filter((exchange) => doubt(exchange) === undefined)
    .map((exchange) => ({
      statement,
      expected: `not ${status}`,
      actual: String(status),
      ...(needsCompany(exchange) && { company }),
      exchange,
    }));
  return violatedOr(violations, () => {
    const doubted = refused[0] && doubt(refused[0]);
    if (doubted !== undefined) return doubted;
    const accepted = calls.filter(isAccepted).length;
    return accepted > 0
      ? pass(`accepted in ${accepted} of ${calls.length} calls, and never answered ${status}`)
      : inconclusive(`the call was answered ${describeAnswer(first)}, which says nothing about the key`);
  });
}

/** Whether two calls have the same key. */
export function isSameKey(one: Exchange, other: Exchange): boolean {
  return one.request.credential.kind === other.request.credential.kind;
}
