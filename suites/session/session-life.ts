import { callKey, hasStatus } from '../../harness/evidence/answer.ts';
import { keptAt } from '../../harness/kept-at.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { fieldsOf, isWrongCall, type SessionEvidence } from './session-evidence.ts';
import { type Change, changedAsBy, changedWhereBy, changesOf, isOfState } from './session-fields.ts';

/** The life of a session around its valid cancel, throttled calls aside. */
export interface Life {
  readonly id: string;
  /** All reads with a good key, without those that say that nothing has changed. */
  readonly reads: readonly Exchange[];
  /** Those before the valid cancel, and not at the same time. */
  readonly readsBefore: readonly Exchange[];
  /** Those after it, without those that came too early and were repeated. */
  readonly readsAfter: readonly Exchange[];
  /** The cancels before the valid one that a target must refuse. */
  readonly wrong: readonly Exchange[];
  /** The last read before these. */
  readonly before: Exchange | undefined;
  /** The last read before the valid cancel. */
  readonly kept: Exchange | undefined;
  /** The valid cancel that succeeded, or the last try. */
  readonly cancel: Exchange | undefined;
  /** The last read after it. */
  readonly after: Exchange | undefined;
  /** The last valid cancel after it. */
  readonly again: Exchange | undefined;
}

const known = new WeakMap<SessionEvidence, readonly Life[]>();

/** The life of each session that a walk used. */
export function livesIn(session: SessionEvidence): readonly Life[] {
  return keptAt(known, session, () => session.ids.map((id) => lifeOf(session, id)));
}

/** The life of one session. */
export function lifeOf(session: SessionEvidence, id: string): Life {
  const calls = session.callsOn(id).filter((one) => !hasStatus(one, 429));
  const cancels = calls.filter((one) => session.is('ends-session', one));
  const valid = cancels.filter((one) => !isWrongCall(one));
  const cancel = valid.find((one) => hasStatus(one, 200)) ?? valid.at(-1);
  const end = cancel === undefined ? calls.length : calls.indexOf(cancel);
  const wrong = calls.slice(0, end).filter(isWrongCall);
  const reads = calls.filter(
    (one) => session.is('reads-session', one) && !isWrongCall(one) && !hasStatus(one, 304),
  );
  const readsIn = (from: number, to?: number): readonly Exchange[] =>
    calls.slice(from, to).filter((one) => reads.includes(one));
  const besides = cancel === undefined ? [] : session.besides(cancel);
  const isBeside = (one: Exchange): boolean => besides.includes(one);
  const later = readsIn(end).filter((one) => !isBeside(one));
  const isRepeated = (one: Exchange, next = one): boolean => next !== one && callKey(next) === callKey(one);
  return {
    id,
    reads,
    readsBefore: readsIn(0, end).filter((one) => !isBeside(one)),
    readsAfter: later.filter((one, at) => !isRepeated(one, later[at + 1])),
    wrong,
    before: readsIn(0, wrong[0] === undefined ? end : calls.indexOf(wrong[0])).at(-1),
    kept: readsIn(0, end).at(-1),
    cancel,
    after: readsIn(end).at(-1),
    again: valid.slice(cancel === undefined ? 0 : valid.indexOf(cancel) + 1).at(-1),
  };
}

/** Whether the target refuses to cancel a session twice. */
export function refusesRepeats(session: SessionEvidence): boolean {
  return livesIn(session).some(({ cancel, again }) => hasStatus(cancel, 200) && hasStatus(again, 404, 409));
}

/**
 * What a valid cancel changes, as reads show it, without what only logs attempts: states that changed with a refused cancel
 * while others did not, and a valid cancel still succeeded, on a target that refuses to cancel a session twice.
 */
export function cancelChanges(
  session: SessionEvidence,
  volatilePointers?: ReadonlySet<string>,
): readonly Change[] {
  // Of the first session that was cancelled, or could not be, with nothing wrong before.
  const lives = livesIn(session).filter(({ wrong, cancel }) => wrong.length === 0 && cancel !== undefined);
  const plain = lives.find(({ cancel }) => hasStatus(cancel, 200)) ?? lives[0];
  const changes = changesOf(fieldsOf(plain?.kept), fieldsOf(plain?.after), volatilePointers);
  const logs = livesIn(session).flatMap(({ wrong, before, kept, cancel }) => {
    if (wrong.length === 0 || !hasStatus(cancel, 200)) return [];
    const changed = changedWhereBy(changes, changesOf(fieldsOf(before), fieldsOf(kept)));
    return changed.length < changes.filter(isOfState).length ? changed : [];
  });
  return refusesRepeats(session) ? changes.filter(({ pointer }) => !logs.includes(pointer)) : changes;
}

/** Whether reads tell a cancelled session from an open one. */
export function isVisible(changes: readonly Change[]): boolean {
  return changedAsBy(changes, changes).length > 0;
}
