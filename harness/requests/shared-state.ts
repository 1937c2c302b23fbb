import type { Operation } from '../../spec/contract.ts';
import { SharedLock } from './shared-lock.ts';

/**
 * What operations keep on the target from one call to the next. A target may allow one of it at a time, or give the same
 * for equal calls, so that cases meet in it.
 */
export type SharedState = 'checkout sessions' | 'hosted logins';

const states: ReadonlyMap<string, SharedState> = new Map([
  ['createHostedCheckoutSession', 'checkout sessions'],
  ['getHostedCheckoutSession', 'checkout sessions'],
  ['cancelHostedCheckoutSession', 'checkout sessions'],
  ['initiateHostedLogin', 'hosted logins'],
  ['consumeHostedLoginReturn', 'hosted logins'],
]);

/** The state that an operation acts on; undefined where it only reads what nobody here changes. */
export function stateOf({ id }: Pick<Operation, 'id'>): SharedState | undefined {
  return states.get(id);
}

/** Held by cases, each of the state that its operation acts on. */
export type StateLocks = Readonly<Record<SharedState, SharedLock>>;

export function stateLocks(): StateLocks {
  return { 'checkout sessions': new SharedLock(), 'hosted logins': new SharedLock() };
}
