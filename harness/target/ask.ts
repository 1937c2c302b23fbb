import { setTimeout } from 'node:timers/promises';
import type { Operation } from '../../spec/contract.ts';
import { CaseClient } from '../calls/case-client.ts';
import type { RunContext } from '../calls/run-context.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CallSpec } from '../requests/call-spec.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';

/** A call outside of any case. */
export type Question = { readonly operation: Operation; readonly label: string } & Pick<
  CallSpec,
  'credential' | 'urgent' | 'parameters' | 'rawParameters' | 'query' | 'body' | 'placeholders' | 'row'
>;

/** The answer to a question; it has no exchange if nothing could be sent, or if the target throttled every try. */
export interface Answer {
  readonly exchange?: Exchange;
  readonly status?: number | undefined;
  /** The JSON body with its secrets: for extracting values, never for keeping. */
  readonly body?: unknown;
}

/** Asks the target as in a run; a call that the case client gives up has an answer without an exchange. */
export async function ask(context: RunContext, { operation, ...how }: Question): Promise<Answer> {
  const client = new CaseClient(context, 'preflight', operation, context.part);
  try {
    const exchange = await client.call({ role: 'preflight', ...how });
    const status = exchange.response?.status;
    return { exchange, status, body: client.lastBody };
  } catch (error) {
    if (error instanceof InconclusiveError) return {};
    throw error;
  } finally {
    await client.close();
  }
}

/** Milliseconds until the other questions are asked too. */
const knockingAgain = 1_000;

/** Asks the first question, and the others if it takes long or does not suffice: one may be broken. */
export async function askInTurn(
  context: RunContext,
  [first, ...others]: readonly Question[],
  suffices: (answer: Answer) => boolean,
): Promise<readonly Answer[]> {
  if (first === undefined) return [];
  const answers: Answer[] = [];
  const asking = async (question: Question): Promise<void> => {
    answers.push(await ask(context, question));
  };
  const asked = asking(first);
  await Promise.race([asked, setTimeout(knockingAgain, undefined, { ref: false })]);
  if (answers.some(suffices)) return answers;
  await new Promise<void>((resolve, reject) => {
    const all = [asked, ...others.map(asking)].map(async (one) => {
      await one;
      if (answers.some(suffices)) resolve();
    });
    Promise.all(all).then(() => resolve(), reject);
  });
  return answers;
}
