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

/** The answer to a question; without an exchange where nothing could be sent, or the target throttled every try. */
export interface Answer {
  readonly exchange?: Exchange;
  readonly kind?: AnswerKind;
  readonly status?: number | undefined;
  /** The JSON body with its secrets: for extracting values, never for keeping. */
  readonly body?: unknown;
}

/**
 * Asks the target. The case client paces and repeats the call as it does in a run; what it gives up on is an answer
 * without an exchange.
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

/** What an exchange says of the target. */
export function classify(exchange: Exchange): AnswerKind {
  const { response, failure } = exchange;
  if (response === undefined) return 'unreachable';
  // One that is cut off or never ends is no answer; what is wrong with a malformed one, its checks say.
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

/** Milliseconds after which the other questions are asked as well. */
const knockingAgain = 1_000;

/**
 * Asks the first question; where its answer does not suffice, or takes long, the others as well, because one operation
 * alone may be broken. Gives the answers until one suffices.
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
