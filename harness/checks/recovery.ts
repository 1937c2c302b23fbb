import type { CaseClient } from '../calls/case-client.ts';
import { statusOf } from '../evidence/answer.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CallChanges } from '../requests/call-spec.ts';
import { type Step, type UnnamedStep, witness } from './step.ts';

/** Attempts at the valid call after one kind of response. */
const attempts = 4;
/** Milliseconds between two of them. */
const recoveryMs = 700;

/** The valid call after each kind of unexpected response. */
export function recoveryStep(): UnnamedStep {
  return witness('valid call after an unexpected response', { followUp: true });
}

/**
 * Sends the valid call after an unexpected response until it gets 200 again, and returns the number of attempts;
 * undefined where it does not. The response is due to the input only if the valid call still succeeds.
 */
export async function attemptsToRecover(
  client: CaseClient,
  step: Step,
  answer: string,
  changes: CallChanges = {},
): Promise<number | undefined> {
  const label = `valid call after the answer ${answer}`;
  const after = { ...changes, label, row: { company: answer } };
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    if (statusOf(await client.call(step, after)) === 200) return attempt;
    await client.pause(recoveryMs);
  }
  return undefined;
}

/** Those of the recovery calls that followed this kind of response. */
export function recoveriesFrom(answer: string, recoveries: readonly Exchange[]): readonly Exchange[] {
  return recoveries.filter(({ row }) => row?.['company'] === answer);
}
