import type { Operation } from '../../spec/contract.ts';
import { errorTexts } from '../checks/error-text.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Capture, Json } from '../model/target.ts';
import { jsonBody, type RawBody } from '../requests/call-spec.ts';
import { CaseClient } from '../requests/case-client.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import type { RunContext } from '../requests/run-context.ts';
import { findSessionId } from './find-session-id.ts';
import { type IssuedBody, putInCaptures } from './insert-captures.ts';
import { bodiesOfDocument } from './resolve-bodies.ts';

/** What a target says to a body that was only sent to learn whether it is valid and what it misses. */
export interface BodyAnswer {
  readonly operation: string;
  /** The user says that the body is valid; the others are of the supplied document, or an empty object. */
  readonly given: boolean;
  /** As it stands in the target file, captured values as placeholders. */
  readonly sent: Json;
  readonly status: number;
  /** It was not given, but taken, and later calls send it. */
  readonly settled: boolean;
  /** What a person can read in the answer, cut short; not escaped yet. */
  readonly says: string;
  /** Where a 200 holds texts, as JSON Pointers: values that captures could take. */
  readonly holds: readonly string[];
  /** Where the session id was found that no name had told. */
  readonly sessionId?: Capture;
  /** What was answered with 200 in its place, with values that a login had issued. */
  readonly better?: Pick<IssuedBody, 'body' | 'captures'>;
}

/** Characters of an answer that are shown. */
const longest = 200;

/**
 * Sends each body that the user gave, and one to each other POST operation for which none is known, so that the target
 * may say what it misses; what is answered with 200 is settled as the body. Sends nothing in a read-only run.
 */
export async function askForBodies(context: RunContext): Promise<readonly BodyAnswer[]> {
  const answers: BodyAnswer[] = [];
  let login: unknown;
  for (const operation of context.contract.operations) {
    if (operation.requestSchema === undefined) continue;
    const given = context.target.bodies[operation.id];
    if (given === undefined && context.known.body(operation) !== undefined) continue;
    const sent = given ?? bodiesOfDocument(context, operation).at(-1) ?? {};
    const answered = await post(context, operation, given === undefined ? jsonBody(sent) : undefined);
    const status = answered?.exchange.response?.status;
    if (answered === undefined || status === undefined) continue;
    const { exchange, body } = answered;
    const holds = status === 200 ? textsIn(body) : [];
    if (operation.role === 'initiates-login' && status === 200) login = body;
    const found =
      operation.role === 'creates-session' && status === 200
        ? await findSessionId(context, operation, body, holds)
        : undefined;
    if (found !== undefined) context.known.resolveCapture('sessionId', found);
    const isReal = Object.values(exchange.request.values).every(({ source }) => source !== 'generated');
    // What is said of a session that does not exist need not be about the body.
    if (!isReal && (given !== undefined || status !== 400)) continue;
    const settled = given === undefined && status === 200 && isReal;
    if (settled) context.known.resolveBody(operation, sent);
    const says = (errorTexts(exchange) ?? []).join(' · ').replaceAll(/\s+/g, ' ');
    answers.push({
      operation: operation.id,
      given: given !== undefined,
      sent,
      status,
      settled,
      says: says.slice(0, longest),
      holds,
      ...(found === undefined ? {} : { sessionId: found }),
      ...(operation.role === 'consumes-login' && status !== 200
        ? await tryIssued(context, operation, sent, login)
        : {}),
    });
  }
  return answers;
}

/** The body with what the login issued in it, where that is taken. */
async function tryIssued(
  context: RunContext,
  operation: Operation,
  sent: Json,
  login: unknown,
): Promise<Pick<BodyAnswer, 'better'>> {
  const initiation = operation.peers?.['initiates-login'];
  if (initiation === undefined) return {};
  const issued = putInCaptures(sent, initiation, login, (name) => context.known.capture(name) !== undefined);
  if (issued === undefined) return {};
  const answered = await post(context, operation, jsonBody(issued.now));
  return answered?.exchange.response?.status === 200 ? { better: issued } : {};
}

async function post(
  context: RunContext,
  operation: Operation,
  body: RawBody | undefined,
): Promise<{ readonly exchange: Exchange; readonly body: unknown } | undefined> {
  const client = new CaseClient(context, 'preflight', operation, context.part);
  try {
    const exchange = await client.call({
      role: 'preflight',
      label: 'asks what a body must hold',
      ...(body === undefined ? {} : { body }),
      placeholders: true,
    });
    return { exchange, body: client.lastBody };
  } catch (error) {
    if (error instanceof InconclusiveError) return undefined;
    throw error;
  } finally {
    await client.close();
  }
}

const deepest = 4;
const mostPointers = 12;

function textsIn(value: unknown, pointer = ''): readonly string[] {
  if (typeof value === 'string') return [pointer];
  if (typeof value !== 'object' || value === null || pointer.split('/').length > deepest) return [];
  return Object.entries(value)
    .flatMap(([name, member]) =>
      textsIn(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    )
    .slice(0, mostPointers);
}
