import type { Operation } from '../../spec/operation.ts';
import { cancelOpenSessions } from '../calls/cancel-open-sessions.ts';
import type { RunContext } from '../calls/run-context.ts';
import { headerOf } from '../evidence/answer.ts';
import type { Capture } from '../model/target.ts';
import { compileDocument } from '../openapi/compile-document.ts';
import type { Credential } from '../requests/key-ring.ts';
import { ask } from './ask.ts';
import { askForBodies, type BodyAnswer } from './find-bodies.ts';
import { type Preflight, readsForKeys } from './preflight.ts';
import { type RecognizedProxy, recognizeProxies } from './recognize-proxies.ts';

/** What a target says when it is asked for what a target file should hold. */
export interface Survey {
  /** How keys are written there; undefined where they are taken as the user writes them, or in no way that was tried. */
  readonly authorization: string | undefined;
  /** Whether each key is what the user says the other is; undefined where that does not show. */
  readonly keysAreSwapped: boolean | undefined;
  /** What it says to bodies of the operations for which none is known. */
  readonly bodies: readonly BodyAnswer[];
  /** Captures that were found and shown to work. */
  readonly captures: Readonly<Record<string, Capture>>;
  /** What is in front of the target. */
  readonly proxies: readonly RecognizedProxy[];
}

/**
 * Asks a target for what a target file should hold. Where keys turn out to be written in another way, nothing else is
 * asked: that is worth doing with the keys in the right form only. Sessions that it opens are cancelled.
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
  // What is asked with the wrong key is refused for the wrong reason.
  const bodies = swapped === true || context.keys.scoped === undefined ? [] : await askForBodies(context);
  await cancelOpenSessions(context);
  const given = new Set(Object.keys(context.target.captures));
  const captures = Object.fromEntries(context.known.captures().filter(([name]) => !given.has(name)));
  return { authorization: undefined, keysAreSwapped: swapped, bodies, captures, proxies };
}

/** Ways in which services have keys written, the more usual first. */
const usual = ['{key}', 'Bearer {key}', 'ApiKey {key}', 'Api-Key {key}', 'Token {key}', 'Key {key}'];

/**
 * How keys are written in the Authorization header of a target that refuses them as the user says: the first way in which
 * a good key is answered 200, those first that the target names in WWW-Authenticate or the document as its scheme.
 * Undefined where there is no key, or none that is taken in any of these ways. The keys go to the target alone.
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
 * Whether the unscoped key is the one that holds catalog:read: of the two keys, only the scoped one is forbidden to read a
 * session that nobody opened. Undefined where a key is missing or where the target looks for the session first.
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

/** Calls the operations whose query parameters the contract does not show, and notes which are refused without any. */
async function askForQueries(context: RunContext): Promise<void> {
  const { contract, known, keys } = context;
  const open = contract.operations.filter(
    (operation) => operation.queryNotShown === true && known.query(operation) === undefined,
  );
  const how = { label: 'is it answered without query parameters?', credential: keys.none };
  await Promise.all(
    open.map(async (operation) => {
      const { status } = await ask(context, { operation, ...how });
      if (status === 400) known.refusedWithoutQuery(operation);
    }),
  );
}
