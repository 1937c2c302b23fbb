import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Step } from '../../harness/checks/step.ts';
import { sentBody } from '../../harness/checks/vary-body.ts';
import { hasStatus, isOk } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { jsonBody, type RawBody } from '../../harness/requests/call-spec.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { issuedValues, lookAlike, returnWith } from '../login/login-values.ts';

/** Calls of a round: more than a target has replicas that may fail to answer one. */
export const issuedCalls = 7;

/** Whether a valid call takes what another call issued for it; session checks test the cancel. */
export function isIssuedEachTime(operation: Operation): boolean {
  const { role, takesIssued } = operation;
  return role === 'consumes-login' || (isSafe(operation) && takesIssued !== undefined);
}

/** Whether the response says that a value is unknown or invalid. */
export function isUnknown(exchange: Exchange): boolean {
  return hasStatus(exchange, 400, 404);
}

/** Other calls beside one that takes an issued value: behind replicas in turn, a fixed number would lead to one of them. */
const callsBetween: readonly number[] = [0, 1, 2, 3];

/** The calls between before one of several calls. */
export function callsBetweenAt(call: number): number {
  return callsBetween[call % callsBetween.length] ?? 0;
}

/** Makes the body of a return that was never issued from one that was consumed; undefined where none can be made. */
async function guesses(client: CaseClient, consumed: Exchange): Promise<(() => RawBody) | undefined> {
  const issued = isOk(consumed) ? await issuedValues(client, consumed) : [];
  const random = client.random('guesses');
  return issued.length === 0
    ? undefined
    : () => returnWith(consumed, issued, (value) => lookAlike(value, random));
}

/** Whether the same body was answered 200 before; unknown for a body that was not recorded as it was sent. */
export function mayBeSpent(exchange: Exchange, before: readonly Exchange[]): boolean {
  if (exchange.request.body === undefined) return false;
  const sent = sentBody(exchange);
  return sent === undefined || before.some((one) => isOk(one) && sentBody(one)?.text === sent.text);
}

/**
 * Consumes logins one after the other, each of its own, until some are known and some are not: a slow round needs no more. Most
 * calls in between have nothing to do with issued values; the longest row of them guesses returns, which ends no other login.
 */
export async function consumeInTurn(
  client: CaseClient,
  first: Exchange,
  { step, between, pauseMs }: { readonly step: Step; readonly between: Step; readonly pauseMs: number },
): Promise<readonly Exchange[]> {
  const answers: Exchange[] = [];
  const something = { operation: client.withRole('identifies-key') };
  const guess = await guesses(client, first);
  const areMixed = (): boolean => answers.some(isUnknown) && answers.some(isOk);
  while (answers.length < issuedCalls && !areMixed()) {
    const body = jsonBody(await client.validBody());
    await client.pause(pauseMs);
    const count = callsBetweenAt(answers.length);
    const others = Array.from({ length: count }, () =>
      client.call(between, guess && count === callsBetween.length - 1 ? { body: guess() } : something),
    );
    // At once, as idle processes of one machine leave a call to the same one every time.
    const [answer] = await Promise.all([
      client.call(step, { propagationDelayMs: pauseMs, connection: 'fresh', body }),
      ...others,
    ]);
    answers.push(answer);
  }
  return answers;
}

/** Reads that find out whether a session is still there. */
const lookingReads = 8;

/** Reads a session until it is there. */
export async function lookAgain(client: CaseClient, step: Step, first: Exchange): Promise<void> {
  for (let reads = 1; reads <= lookingReads; reads += 1) {
    const answer = await client.call(step, { parameters: sentValues(first) });
    if (isOk(answer)) return;
  }
}
