import { type Operation, sharedResource } from '../../spec/operation.ts';
import { SharedLock } from './shared-lock.ts';

/**
 * What operations keep on the target from one call to the next. A target may allow one of it at a time, or give the same
 * for equal calls, so that cases meet in it.
 */
export type SharedState = 'checkout sessions' | 'hosted logins';

const states = { session: 'checkout sessions', login: 'hosted logins' } as const;

/** The state that an operation acts on; undefined where it only reads what nobody here changes. */
export function stateOf(operation: Pick<Operation, 'role'>): SharedState | undefined {
  const resource = sharedResource(operation);
  return resource && states[resource];
}

/** Held by cases, each of the state that its operation acts on. */
export type StateLocks = Readonly<Record<SharedState, SharedLock>>;

export function stateLocks(): StateLocks {
  return { 'checkout sessions': new SharedLock(), 'hosted logins': new SharedLock() };
}
