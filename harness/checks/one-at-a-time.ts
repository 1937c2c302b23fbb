import type { CaseClient } from '../requests/case-client.ts';
import type { KeyRing } from '../requests/key-ring.ts';

/** The last turn that was asked for, by run: a run has one key ring. */
const lastTurns = new WeakMap<KeyRing, Promise<unknown>>();

/**
 * Acts when all others of the run that asked before have finished. For probes of what the target keeps between calls:
 * a target may allow one open session, or give the same session for equal creates, so that probes would meet in it.
 */
export function oneAtATime<T>(client: CaseClient, act: () => Promise<T>): Promise<T> {
  const before = lastTurns.get(client.keys) ?? Promise.resolve();
  const turn = before.then(act);
  lastTurns.set(
    client.keys,
    turn.catch(() => undefined),
  );
  return turn;
}
