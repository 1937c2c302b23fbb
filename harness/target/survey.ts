import type { Operation } from '../../spec/operation.ts';
import type { RunContext } from '../calls/run-context.ts';
import { cancelOpenSessions } from '../calls/session-tracker.ts';
import { saidOf } from '../checks/error-text.ts';
import { headerOf } from '../evidence/answer.ts';
import type { Capture } from '../model/target.ts';
import { compileDocument } from '../openapi/compile-document.ts';
import type { Credential } from '../requests/key-ring.ts';
import { bounded } from '../visible-text.ts';
import { ask } from './ask.ts';
import { askForBodies, type BodyAnswer } from './find-bodies.ts';
import { type Preflight, readsForKeys } from './preflight.ts';
import { type RecognizedProxy, recognizeProxies } from './recognize-proxies.ts';

/** The answers of a target about the content of its target file. */
export interface Survey {
  /** The format of the Authorization header that the target accepts; undefined if it is the user's, or none that was tried. */
  readonly authorization: string | undefined;
  /** Whether the user swapped the two keys; undefined if that does not show. */
  readonly keysAreSwapped: boolean | undefined;
  readonly bodies: readonly BodyAnswer[];
  readonly captures: Readonly<Record<string, Capture>>;
  readonly proxies: readonly RecognizedProxy[];
}

/**
 * Asks a target for the content of its target file. If it refuses the keys, only the format of the Authorization header is
 * looked for: other answers would mean nothing. Cancels the sessions that it opens.
 */
export async function surveyTarget(context: RunContext, preflight: Preflight): Promise<Survey> {
  const { unreachable, accepts } = preflight;
  const nothing = {
    authorization: undefined,
    keysAreSwapped: undefined,
    bodies: [],
    captures: {},
    proxies: [],
  };
  if (unreachable !== undefined) return nothing;
  if (accepts.scoped === false || (accepts.scoped === undefined && accepts.unscoped === false)) {
    return { ...nothing, authorization: await findAuthorization(context) };
  }
  const proxies = await recognizeProxies(context);
  const swapped = await keysAreSwapped(context);
  await askForQueries(context);
  // With swapped keys, the target would refuse bodies for the wrong reason.
  const bodies = swapped === true || context.keys.scoped === undefined ? [] : await askForBodies(context);
  await cancelOpenSessions(context);
  const given = new Set(Object.keys(context.target.captures));
  const captures = Object.fromEntries(context.known.captures().filter(([name]) => !given.has(name)));
  return { authorization: undefined, keysAreSwapped: swapped, bodies, captures, proxies };
}

/** Formats of the Authorization header, the more usual first. */
const usual = ['{key}', 'Bearer {key}', 'ApiKey {key}', 'Api-Key {key}', 'Token {key}', 'Key {key}'];

/**
 * The first format of the Authorization header with which a refused key is answered with 200; the schemes of the document
 * and of WWW-Authenticate are tried first. Undefined if there is no key, or no format works. Only the target gets the
 * keys.
 */
async function findAuthorization(context: RunContext): Promise<string | undefined> {
  const key = context.target.keys.scoped ?? context.target.keys.unscoped;
  const known = context.keys.scoped ?? context.keys.unscoped;
  if (key === undefined || known === undefined) return undefined;
  const named: string[] = [...schemesOfDocument(context)];
  let refusing: Operation | undefined;
  for (const operation of readsForKeys(context)) {
    const refused = await ask(context, { operation, label: 'how are keys written?', credential: known });
    if (refused.exchange === undefined || refused.status !== 401) continue;
    refusing ??= operation;
    const challenge = headerOf(refused.exchange, 'www-authenticate') ?? '';
    const scheme = /^\s*([\w.-]{1,40})\b/.exec(challenge)?.[1];
    if (scheme !== undefined) named.push(`${scheme} {key}`);
  }
  if (refusing === undefined) return undefined;
  for (const form of new Set([...named, ...usual])) {
    if (form === context.target.authorization) continue;
    const credential: Credential = { ...known, header: form.replace('{key}', () => key) };
    const tried = { operation: refusing, label: `tries the key as ${form}`, credential };
    if ((await ask(context, tried)).status === 200) return form;
  }
  return undefined;
}

function schemesOfDocument({ document }: RunContext): readonly string[] {
  if (document === undefined) return [];
  return compileDocument(document)
    .root.items('components', 'securitySchemes')
    .filter((scheme) => scheme.read('type') === 'http')
    .map((scheme) => String(scheme.read('scheme')))
    .filter((scheme) => /^[\w.-]{1,40}$/.test(scheme))
    .map((scheme) => `${scheme.charAt(0).toUpperCase()}${scheme.slice(1)} {key}`);
}

/**
 * Whether the unscoped key is the one with catalog:read: only the scoped key gets 403 for a session that does not exist.
 * Undefined if a key is missing, or if the target looks for the session first.
 */
async function keysAreSwapped(context: RunContext): Promise<boolean | undefined> {
  const { scoped, unscoped } = context.keys;
  const operation = context.contract.withRole('reads-session');
  if (scoped === undefined || unscoped === undefined || operation === undefined) return undefined;
  const how = {
    operation,
    label: 'looks for the scope',
    parameters: { sessionId: '5f0c7a52-6f0e-4f6c-9c1b-0d5b7c1f2a34' },
  };
  const [first, second] = await Promise.all(
    [scoped, unscoped].map(async (credential) => (await ask(context, { ...how, credential })).status),
  );
  if (first === undefined || second === undefined || first === second) return undefined;
  if (first === 403) return second !== 401;
  return second === 403 ? false : undefined;
}

/** Calls the operations whose query parameters the contract does not show, and notes those that answer 400 without any. */
async function askForQueries(context: RunContext): Promise<void> {
  const { contract, known, keys } = context;
  const open = contract.operations.filter(
    (operation) => operation.queryNotShown === true && known.query(operation) === undefined,
  );
  const how = { label: 'is it answered without query parameters?', credential: keys.none };
  await Promise.all(
    open.map(async (operation) => {
      const { status, exchange } = await ask(context, { operation, ...how });
      if (status !== 400 || exchange === undefined) return;
      known.queryRefusals.set(operation.id, bounded(saidOf(exchange).join(' · ')));
    }),
  );
}
