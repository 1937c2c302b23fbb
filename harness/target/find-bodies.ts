import type { Operation, ResourceKind } from '../../spec/operation.ts';
import type { RunContext } from '../calls/run-context.ts';
import { saidOf } from '../checks/error-text.ts';
import { namedScalars } from '../evidence/json-leaves.ts';
import { withTexts } from '../fuzzing/json-places.ts';
import { pointerOf } from '../json-pointers.ts';
import type { Capture, Json } from '../model/target.ts';
import { compileDocument } from '../openapi/compile-document.ts';
import { madeUpBody, suggestedBody, suggestedCapture } from '../openapi/example-values.ts';
import { jsonBody } from '../requests/call-spec.ts';
import { likelySessionId } from '../requests/session-id.ts';
import { ask } from './ask.ts';
import type { Discovered } from './discovery.ts';
import { plainName, resourceNamed } from './likely-identifiers.ts';

/** Named in place of an operation as the source of a value. */
export const suppliedDocument = 'the supplied document';

/**
 * Tries the example bodies of a supplied document, and bodies invented from its schemas, where the user gave none. Uses its
 * links as captures. A refused body says nothing about the target.
 */
export async function resolveBodies(context: RunContext): Promise<readonly Discovered[]> {
  if (context.document === undefined || context.readOnly) return [];
  const document = compileDocument(context.document);
  for (const { issues } of context.contract.operations) {
    const linked = issues && suggestedCapture(document, context.contract.operations, issues);
    if (issues && linked) context.known.foundCaptures.set(issues, linked);
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
  const tries = bodiesOfDocument(context, operation).flatMap((body): readonly IssuedBody[] => [
    ...[issuedBody(context, operation, body, login) ?? []].flat(),
    { now: body, body, captures: {} },
  ]);
  for (const { now, body, captures } of tries) {
    const answer = await ask(context, { operation, label, body: jsonBody(now) });
    if (answer.status !== 200) continue;
    for (const [name, capture] of Object.entries(captures)) context.known.foundCaptures.set(name, capture);
    context.known.foundBodies.set(operation.id, body);
    return { body, answer: answer.body };
  }
  return undefined;
}

/** The body of a login's return with the values that the login issued. */
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
  // Examples may name stores and products that this target does not have.
  const withKnownValues = (body: Json): Json =>
    withTexts(body, (text, name) => {
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

/** The answer to a body that was sent to learn whether it is valid and what it lacks. */
export interface BodyAnswer {
  readonly operation: string;
  /** Whether the user gave the body; the others are from the supplied document, or an empty object. */
  readonly given: boolean;
  /** As it stands in the target file, captured values as placeholders. */
  readonly sent: Json;
  readonly status: number;
  /** Whether a body that the user did not give was accepted; later calls send it. */
  readonly settled: boolean;
  /** The error texts of the response, cut short and not yet escaped. */
  readonly says: string;
  /** JSON Pointers to the texts of a 200, which captures could take. */
  readonly holds: readonly string[];
  /** Captures of the target file of which a 200 holds none. */
  readonly lacks: readonly string[];
  readonly sessionId?: Capture;
  /** The body with values that a login issued, if it was answered with 200 instead. */
  readonly better?: Pick<IssuedBody, 'body' | 'captures'>;
}

/** Maximum characters of a response in a message. */
const longest = 1_000;

/** Maximum texts of a response in a message. */
const mostTexts = 12;

/**
 * Sends each body that the user gave, and a suggested or empty one to each other POST operation, so that the target can say
 * what the body lacks. Settles a body that is answered with 200. Sends nothing in a read-only run.
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
    if (sessionId !== undefined) known.foundCaptures.set('sessionId', sessionId);
    const isReal = Object.values(exchange.request.values).every(({ source }) => source !== 'generated');
    // An answer about a session that does not exist may not be about the body.
    if (!isReal && (given !== undefined || status !== 400)) continue;
    const settled = given === undefined && status === 200 && isReal;
    if (settled) known.foundBodies.set(operation.id, sent);
    if (given !== undefined && status !== 200) known.refusedBodies.add(operation.id);
    const issued = status === 200 ? undefined : issuedBody(context, operation, sent, login);
    const isBetter =
      issued !== undefined &&
      (await ask(context, { operation, ...how, body: jsonBody(issued.now) })).status === 200;
    const says = saidOf(exchange, body).join(' · ').replaceAll(/\s+/g, ' ');
    answers.push({
      operation: operation.id,
      given: given !== undefined,
      sent,
      status,
      settled,
      says: says.slice(0, longest),
      holds: holds.map(({ pointer }) => pointer),
      lacks:
        status === 200
          ? Object.entries(target.captures).flatMap(([name, { from }]) =>
              from === operation.id && known.extract(name, body) === undefined ? [name] : [],
            )
          : [],
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(isBetter ? { better: issued } : {}),
    });
  }
  return answers;
}

/** Maximum texts of a response to try until the session id counts as unknown. */
const mostTries = 8;

/**
 * Where the response to a create holds the session id: the first of these texts by which a session can be read, that of a
 * likely name before others. Undefined if the target file names the place, or if any text reads a session.
 */
async function findSessionId(
  context: RunContext,
  create: Operation,
  answer: unknown,
  texts: ReadonlyArray<{ readonly pointer: string; readonly value: string }>,
): Promise<Capture | undefined> {
  if (context.known.capture('sessionId') !== undefined) return undefined;
  const likely = likelySessionId(answer);
  const { scoped } = context.keys;
  const operation = context.contract.withRole('reads-session');
  if (scoped === undefined || operation === undefined) return undefined;
  const how = { operation, label: 'looks for the session id', credential: scoped };
  const isRead = async (sessionId: string): Promise<boolean> =>
    (await ask(context, { ...how, parameters: { sessionId } })).status === 200;
  if (await isRead('conformance-unknown-session')) return undefined;
  const rank = ({ value }: { readonly value: string }): number => (value === likely ? 0 : 1);
  for (const { pointer, value } of texts.toSorted((a, b) => rank(a) - rank(b)).slice(0, mostTries)) {
    if (value !== '' && (await isRead(value))) return { from: create.id, pointer };
  }
  return undefined;
}

/** A body for a login's return, with values that the initiation issued in place of made-up ones. */
export interface IssuedBody {
  /** With the values themselves, to be sent once. */
  readonly now: Json;
  /** With placeholders, to be sent again and again. */
  readonly body: Json;
  readonly captures: Readonly<Record<string, Capture>>;
}

/** Puts values that `from` issued in place of texts of the same name in a body; undefined if there are none. */
export function putInCaptures(
  body: Json,
  from: string,
  answer: unknown,
  isTaken: (name: string) => boolean,
): IssuedBody | undefined {
  // What stands in a list may be elsewhere in the next response.
  const single = textsIn(answer).filter(({ pointer }) => !/\/\d+(?:\/|$)/.test(pointer));
  const named = single.map((text) => [plainName(text.name), text] as const);
  const issued = new Map(named.toReversed());
  const captures: Record<string, Capture> = {};
  const put = (asPlaceholder: boolean): Json =>
    withTexts(body, (text, name) => {
      const found = issued.get(plainName(name));
      const placeholder = placeholderOf(name);
      if (found === undefined || placeholder === undefined || isTaken(placeholder)) return text;
      captures[placeholder] = { from, pointer: found.pointer };
      return asPlaceholder ? `{${placeholder}}` : found.value;
    });
  const issuedBody = { now: put(false), body: put(true), captures };
  return Object.keys(captures).length === 0 ? undefined : issuedBody;
}

const deepest = 8;

/** The texts of a response with their names and JSON Pointers, the outermost first. */
function textsIn(answer: unknown): ReadonlyArray<Record<'name' | 'pointer' | 'value', string>> {
  return namedScalars(answer, deepest).flatMap(({ name, steps, value }) =>
    typeof value === 'string' ? [{ name, pointer: pointerOf(steps), value }] : [],
  );
}

function placeholderOf(name: string): string | undefined {
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  return /^\w{1,40}$/.test(capital) ? `login${capital}` : undefined;
}
