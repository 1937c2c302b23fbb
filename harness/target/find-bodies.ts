import type { Operation, ResourceKind } from '../../spec/operation.ts';
import type { RunContext } from '../calls/run-context.ts';
import { errorTexts } from '../checks/error-text.ts';
import type { Capture, Json } from '../model/target.ts';
import { compileDocument } from '../openapi/compile-document.ts';
import { madeUpBody, suggestedBody } from '../openapi/example-values.ts';
import { suggestedCapture } from '../openapi/linked-captures.ts';
import { jsonBody } from '../requests/call-spec.ts';
import { resourceNamed } from '../requests/likely-identifiers.ts';
import { likelySessionId } from '../requests/session-id.ts';
import { ask } from './ask.ts';
import type { Discovered } from './discovery.ts';
import { changeTexts, type IssuedBody, putInCaptures, textsIn } from './insert-captures.ts';

/** Stands for an operation where the supplied document gave the value. */
export const suppliedDocument = 'the supplied document';

/**
 * Tries the bodies that a supplied document gives as examples, or that its schemas make up, where the user gave none, and
 * takes over the links that say where captured values come from. A body that is refused says nothing about the target.
 */
export async function resolveBodies(context: RunContext): Promise<readonly Discovered[]> {
  if (context.document === undefined || context.readOnly) return [];
  const document = compileDocument(context.document);
  for (const { issues } of context.contract.operations) {
    const linked = issues && suggestedCapture(document, context.contract.operations, issues);
    if (issues && linked) context.known.resolveCapture(issues, linked);
  }
  const found: Discovered[] = [];
  let login: unknown;
  for (const operation of context.contract.operations) {
    if (operation.requestSchema === undefined || context.known.body(operation) !== undefined) continue;
    const settled = await resolveBody(context, operation, login);
    if (settled === undefined) continue;
    if (operation.role === 'initiates-login') login = settled.answer;
    const value = JSON.stringify(settled.body);
    found.push({ operation: operation.id, name: 'body', value, from: suppliedDocument });
  }
  return found;
}

async function resolveBody(
  context: RunContext,
  operation: Operation,
  login: unknown,
): Promise<{ readonly body: Json; readonly answer: unknown } | undefined> {
  const label = 'tries a body of the supplied document';
  for (const suggested of bodiesOfDocument(context, operation)) {
    const issued = issuedBody(context, operation, suggested, login);
    for (const { now, body, captures } of [issued, { now: suggested, body: suggested, captures: {} }].filter(
      (one) => one !== undefined,
    )) {
      const answer = await ask(context, { operation, label, body: jsonBody(now) });
      if (answer.status !== 200) continue;
      for (const [name, capture] of Object.entries(captures)) context.known.resolveCapture(name, capture);
      context.known.resolveBody(operation, body);
      return { body, answer: answer.body };
    }
  }
  return undefined;
}

/** The body of a login's return with what the login issued in it. */
function issuedBody(
  { known }: RunContext,
  operation: Operation,
  body: Json,
  login: unknown,
): IssuedBody | undefined {
  const from = operation.role === 'consumes-login' ? operation.peers?.['initiates-login'] : undefined;
  if (from === undefined) return undefined;
  return putInCaptures(body, from, login, (name) => known.capture(name) !== undefined);
}

/** Bodies that a supplied document suggests for an operation, the likeliest first. */
function bodiesOfDocument(context: RunContext, operation: Operation): readonly Json[] {
  if (context.document === undefined) return [];
  const document = compileDocument(context.document);
  const given = [suggestedBody(document, operation), madeUpBody(document, operation)].filter(
    (body) => body !== undefined,
  );
  // The author of an example may have thought of stores and products that this target does not have.
  const withKnownValues = (body: Json): Json =>
    changeTexts(body, (text, name) => {
      const kind = resourceNamed(name);
      return (kind && knownValue(context, kind)) ?? text;
    });
  const all = given.flatMap((body) => [body, withKnownValues(body)]);
  return [...new Map(all.map((body) => [JSON.stringify(body), body])).values()];
}

function knownValue({ contract, known }: RunContext, kind: ResourceKind): string | undefined {
  for (const operation of contract.operations) {
    for (const name of operation.pathParameters) {
      const value = operation.parameterKinds?.[name] === kind && known.value(operation, name)?.value;
      if (typeof value === 'string') return value;
    }
  }
  return undefined;
}

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

/** Texts of an answer that are told. */
const mostTexts = 12;

/**
 * Sends each body that the user gave, and one to each other POST operation for which none is known, so that the target
 * may say what it misses; what is answered with 200 is settled as the body. Sends nothing in a read-only run.
 */
export async function askForBodies(context: RunContext): Promise<readonly BodyAnswer[]> {
  const { contract, known, target } = context;
  const how = { label: 'asks what a body must hold', placeholders: true };
  const answers: BodyAnswer[] = [];
  let login: unknown;
  for (const operation of contract.operations) {
    if (operation.requestSchema === undefined) continue;
    const given = target.bodies[operation.id];
    if (given === undefined && known.body(operation) !== undefined) continue;
    const sent = given ?? bodiesOfDocument(context, operation).at(-1) ?? {};
    const own = given === undefined ? { body: jsonBody(sent) } : {};
    const { exchange, status, body } = await ask(context, { operation, ...how, ...own });
    if (exchange === undefined || status === undefined) continue;
    const holds = status === 200 ? textsIn(body).slice(0, mostTexts) : [];
    if (operation.role === 'initiates-login' && status === 200) login = body;
    const sessionId =
      operation.role === 'creates-session' && status === 200
        ? await findSessionId(context, operation, body, holds)
        : undefined;
    if (sessionId !== undefined) known.resolveCapture('sessionId', sessionId);
    const isReal = Object.values(exchange.request.values).every(({ source }) => source !== 'generated');
    // What is said of a session that does not exist need not be about the body.
    if (!isReal && (given !== undefined || status !== 400)) continue;
    const settled = given === undefined && status === 200 && isReal;
    if (settled) known.resolveBody(operation, sent);
    const issued = status === 200 ? undefined : issuedBody(context, operation, sent, login);
    const isBetter =
      issued !== undefined &&
      (await ask(context, { operation, ...how, body: jsonBody(issued.now) })).status === 200;
    const says = (errorTexts(exchange) ?? []).join(' · ').replaceAll(/\s+/g, ' ');
    answers.push({
      operation: operation.id,
      given: given !== undefined,
      sent,
      status,
      settled,
      says: says.slice(0, longest),
      holds: holds.map(({ pointer }) => pointer),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(isBetter ? { better: issued } : {}),
    });
  }
  return answers;
}

/** Texts of an answer that are tried before the session id counts as unknown. */
const mostTries = 8;

/**
 * Where the answer to a create holds the session id, when its name does not tell: of these texts, the first by which a
 * session can be read. Undefined where there is no need to look, or where anything at all can be read.
 */
async function findSessionId(
  context: RunContext,
  create: Operation,
  answer: unknown,
  texts: ReadonlyArray<{ readonly pointer: string; readonly value: string }>,
): Promise<Capture | undefined> {
  if (context.known.capture('sessionId') !== undefined || likelySessionId(answer) !== undefined)
    return undefined;
  const { scoped } = context.keys;
  const operation = context.contract.withRole('reads-session');
  if (scoped === undefined || operation === undefined) return undefined;
  const how = { operation, label: 'looks for the session id', credential: scoped };
  const isRead = async (sessionId: string): Promise<boolean> =>
    (await ask(context, { ...how, parameters: { sessionId } })).status === 200;
  if (await isRead('conformance-unknown-session')) return undefined;
  for (const { pointer, value } of texts.slice(0, mostTries)) {
    if (value !== '' && (await isRead(value))) return { from: create.id, pointer };
  }
  return undefined;
}
