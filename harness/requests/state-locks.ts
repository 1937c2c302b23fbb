import { type Operation, sharedResource } from '../../spec/operation.ts';
import { StateLock } from './state-lock.ts';

/**
 * What operations change on the target from one call to the next. A target may allow one session or login at a time, or
 * return the same one for equal calls, so that cases affect each other through it.
 */
export type SharedState = 'checkout sessions' | 'hosted logins';

const states = { session: 'checkout sessions', login: 'hosted logins' } as const;

/** The state that an operation acts on; undefined for reads of what no case changes. */
export function stateOf(operation: Pick<Operation, 'role'>): SharedState | undefined {
  const resource = sharedResource(operation);
  return resource && states[resource];
}

/** One lock per state, held by the cases whose operations act on it. */
export type StateLocks = Readonly<Record<SharedState, StateLock>>;

/** The locks of a new run. */
export function stateLocks(): StateLocks {
  return { 'checkout sessions': new StateLock(), 'hosted logins': new StateLock() };
}
