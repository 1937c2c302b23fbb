import { isMoment, type Leaf, type Leaves, readsSame } from '../../harness/evidence/json-leaves.ts';
import type { SessionEvidence } from './session-evidence.ts';
import { fieldsOf } from './session-exchange.ts';
import { isLink, isStateValue } from './state-values.ts';

type Step = 'readBefore' | 'readBeforeAgain' | 'cancel' | 'readAfter' | 'readAfterAgain';

/** The JSON fields of a session in its create, before its cancel, and in the response to the cancel. */
interface Reported {
  readonly created: Leaves | undefined;
  readonly before: Leaves;
  readonly cancelled: Leaves;
}

/** Whether the cancel reports a change of a field that reads show too. */
export function reportsChange(session: SessionEvidence<Step>): boolean {
  return changesIn(session).length > 0;
}

/** Whether every field of which the cancel reports a change, a state among them, is read as it was, each time. */
export function showsNoChange(session: SessionEvidence<Step>): boolean {
  const changes = changesIn(session);
  const reads = [...session.all('readAfter'), ...session.all('readAfterAgain')].map(fieldsOf);
  return (
    changes.some(({ old, now }) => isStateValue(old) && isStateValue(now)) &&
    reads.every((read) =>
      changes.every(({ pointer, old }) => {
        const shown = read?.get(pointer);
        return shown !== undefined && readsSame(shown, old);
      }),
    )
  );
}

function changesIn(
  session: SessionEvidence<Step>,
): ReadonlyArray<{ readonly pointer: string; readonly old: Leaf; readonly now: Leaf }> {
  const reported = reportedBy(session);
  if (reported === undefined) return [];
  return [...reported.cancelled].flatMap(([pointer, now]) => {
    const old = reported.before.get(pointer);
    const isChange =
      old !== undefined && !differsByOperation(reported, pointer) && !isLink(now) && !readsSame(now, old);
    return isChange ? [{ pointer, old, now }] : [];
  });
}

/**
 * Pointers at which the reads after a cancel contradict its response. Fields that are volatile or differ by operation,
 * links and times do not count; numbers count only where they are as before the cancel; and a state may have advanced,
 * as from cancelling to cancelled.
 */
export function contradictions(session: SessionEvidence<Step>): readonly string[] {
  const reported = reportedBy(session);
  const read = fieldsOf(session.last('readAfter'));
  if (reported === undefined || read === undefined) return [];
  const rereads = session.all('readAfterAgain').map(fieldsOf);
  return [...reported.cancelled].flatMap(([pointer, said]) => {
    const now = read.get(pointer);
    if (now === undefined || rereads.some((fields) => fields?.get(pointer) !== now)) return [];
    if (readsSame(said, now) || isLink(said) || isLink(now) || (isMoment(said) && isMoment(now))) return [];
    if (differsByOperation(reported, pointer)) return [];
    const old = reported.before.get(pointer);
    const isUnchanged = old !== undefined && readsSame(now, old);
    const isOtherState = isStateValue(said) && isStateValue(now) && !mayHaveAdvanced(said, now);
    return isUnchanged || isOtherState ? [pointer] : [];
  });
}

function reportedBy(session: SessionEvidence<Step>): Reported | undefined {
  const cancel = session.last('cancel');
  const before = fieldsOf(session.last('readBefore'));
  const beforeAgain = fieldsOf(session.last('readBeforeAgain'));
  const cancelled = fieldsOf(cancel);
  if (before === undefined || beforeAgain === undefined || cancelled === undefined) return undefined;
  const isVolatile = (pointer: string): boolean =>
    before.has(pointer) && beforeAgain.get(pointer) !== before.get(pointer);
  const withoutVolatile = (fields: Leaves): Leaves =>
    new Map([...fields].filter(([pointer]) => !isVolatile(pointer)));
  return {
    created: session.createdFields(cancel),
    before: withoutVolatile(before),
    cancelled: withoutVolatile(cancelled),
  };
}

function differsByOperation({ created, before }: Reported, pointer: string): boolean {
  const atCreate = created?.get(pointer);
  const old = before.get(pointer);
  return atCreate !== undefined && old !== undefined && !readsSame(atCreate, old);
}

/** Whether one text can follow the other: the first names a transition, or both are similar. */
function mayHaveAdvanced(said: Leaf, now: Leaf): boolean {
  if (typeof said !== 'string' || typeof now !== 'string') return false;
  const [one, two] = [said.toLowerCase(), now.toLowerCase()];
  if (/ing\b|pend|progress|request|process|queue|accept|wait|schedul|initiat/.test(one)) return true;
  return one.includes(two) || two.includes(one) || one.slice(0, 4) === two.slice(0, 4);
}
