import type { Capture } from '../model/target.ts';
import { cancelOpenSessions } from '../requests/cancel-open-sessions.ts';
import type { RunContext } from '../requests/run-context.ts';
import { askForBodies, type BodyAnswer } from './ask-for-bodies.ts';
import { askForQueries } from './ask-for-queries.ts';
import { findAuthorization } from './find-authorization.ts';
import { keysAreSwapped } from './keys-are-swapped.ts';
import type { Preflight } from './preflight.ts';
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
  const nothing: Survey = {
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
  // What is asked with the wrong key is refused for the wrong reason.
  await askForQueries(context);
  const bodies = swapped === true || context.keys.scoped === undefined ? [] : await askForBodies(context);
  await cancelOpenSessions(context);
  const given = new Set(Object.keys(context.target.captures));
  const captures = Object.fromEntries(context.known.captures().filter(([name]) => !given.has(name)));
  return { authorization: undefined, keysAreSwapped: swapped, bodies, captures, proxies };
}
