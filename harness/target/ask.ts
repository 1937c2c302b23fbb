import { setTimeout } from 'node:timers/promises';
import type { Operation } from '../../spec/contract.ts';
import { CaseClient } from '../calls/case-client.ts';
import type { RunContext } from '../calls/run-context.ts';
import { headerOf, isBlockedInFront, isJsonMediaType } from '../evidence/answer.ts';
import { bodyFormOf } from '../evidence/identify-responder.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CallSpec } from '../requests/call-spec.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';

/** A call outside of any case. */
export type Question = { readonly operation: Operation; readonly label: string } & Pick<
  CallSpec,
  'credential' | 'urgent' | 'parameters' | 'rawParameters' | 'query' | 'body' | 'placeholders' | 'row'
>;

/** What an exchange says of the target: `page` is a 200 that no service with a JSON interface sends. */
export type AnswerKind =
  | 'unreachable'
  | 'malformed'
  | 'throttled'
  | 'blocked'
  | 'redirect'
  | 'page'
  | 'served'
  | 'refused'
  | 'failed';

/** The answer to a question; it has no exchange if nothing could be sent, or if the target throttled every try. */
export interface Answer {
  readonly exchange?: Exchange;
  readonly kind?: AnswerKind;
  readonly status?: number | undefined;
  /** The JSON body with its secrets: for extracting values, never for keeping. */
  readonly body?: unknown;
}

/**
 * Asks the target. The case client paces and repeats the call as in a run; a call that it gives up has an answer without
 * an exchange.
 */
export async function ask(context: RunContext, { operation, ...how }: Question): Promise<Answer> {
  const client = new CaseClient(context, 'preflight', operation, context.part);
  try {
    const exchange = await client.call({ role: 'preflight', ...how });
    const status = exchange.response?.status;
    return { exchange, kind: classify(exchange), status, body: client.lastBody };
  } catch (error) {
    if (error instanceof InconclusiveError) return {};
    throw error;
  } finally {
    await client.close();
  }
}

export function classify(exchange: Exchange): AnswerKind {
  const { response, failure } = exchange;
  if (response === undefined) return 'unreachable';
  // A response that is cut off or never ends is no answer; checks report a malformed one.
  if (failure !== undefined) return failure.kind === 'malformed-response' ? 'malformed' : 'unreachable';
  const { status } = response;
  if (status === 429) return 'throttled';
  if (isBlockedInFront(exchange)) return 'blocked';
  if (status >= 500) return 'failed';
  if (status >= 400) return 'refused';
  if (status >= 300) return 'redirect';
  if (status !== 200) return 'refused';
  const isText = ['html', 'text'].includes(bodyFormOf(exchange));
  return isText && !isJsonMediaType(headerOf(exchange, 'content-type')) ? 'page' : 'served';
}

/** Milliseconds until the other questions are asked too. */
const knockingAgain = 1_000;

/**
 * Asks the first question, and the others too if its answer takes long or does not suffice, because a single operation may
 * be broken. Resolves with the answers so far as soon as one suffices.
 */
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
