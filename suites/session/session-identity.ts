import { type Leaves, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { SessionEvidence } from './session-evidence.ts';
import { fieldsOf, idPointers, looksLikeId, sessionIdOf } from './session-exchange.ts';

/** A shorter id can occur in a response by chance. */
const minimumIdLength = 8;

/** Which session a response shows; `same for both` means one session for two ids. */
export type ShownSession = 'own' | 'other' | 'same for both' | undefined;

/** Compares a read with the read of another session; undefined where the responses do not tell sessions apart. */
export function sessionShownBy(session: SessionEvidence, read: Exchange, otherRead: Exchange): ShownSession {
  const shown = fieldsOf(read);
  const id = sessionIdOf(read);
  const otherId = sessionIdOf(otherRead);
  if (shown === undefined || id === undefined || otherId === undefined) return undefined;
  const created = session.createdFields(read);
  const otherCreated = session.createdFields(otherRead);
  if (created !== undefined && otherCreated !== undefined && isCreatedAfter(session, read, otherRead)) {
    if (showsOtherContents(shown, created, otherCreated, [id, otherId])) return 'other';
  }
  if (mentions(shown, id)) return 'own';
  if (created === undefined || otherCreated === undefined) return undefined;
  const pointers = idPointers(created, id);
  if (pointers.some((pointer) => String(shown.get(pointer)) === otherId)) return 'other';
  if (otherId.length >= minimumIdLength && mentions(shown, otherId)) return 'other';
  if (showsOwnFields(shown, created, otherCreated)) return 'own';
  const otherShown = fieldsOf(otherRead);
  const isSame = pointers.some(
    (pointer) => otherShown?.get(pointer) === shown.get(pointer) && looksLikeId(shown.get(pointer), id),
  );
  return isSame ? 'same for both' : undefined;
}

/** Whether the session of a read is younger than that of another: its create cannot have shown what an older one shows. */
function isCreatedAfter(session: SessionEvidence, read: Exchange, otherRead: Exchange): boolean {
  const [created, other] = [session.creationOf(read), session.creationOf(otherRead)];
  return created !== undefined && other !== undefined && created.startedAt > other.startedAt;
}

/** Whether every text in which two creates differ, ids aside, is that of the other session. */
function showsOtherContents(
  shown: Leaves,
  created: Leaves,
  otherCreated: Leaves,
  ids: readonly string[],
): boolean {
  const different = [...created].filter(([pointer, leaf]) => {
    const other = otherCreated.get(pointer);
    const isText = [leaf, other].every((one) => typeof one === 'string' && one.length >= minimumIdLength);
    return isText && leaf !== other && !ids.some((id) => String(leaf).includes(id)) && shown.has(pointer);
  });
  return (
    different.length > 0 && different.every(([pointer]) => shown.get(pointer) === otherCreated.get(pointer))
  );
}

/** Whether a read shows a field in which the creates differ as its own create did, and none as the other create did. */
function showsOwnFields(shown: Leaves, created: Leaves, otherCreated: Leaves): boolean {
  const different = [...created].filter(([pointer, leaf]) => {
    const other = otherCreated.get(pointer);
    return other !== undefined && other !== leaf && shown.has(pointer);
  });
  return (
    different.some(([pointer, leaf]) => shown.get(pointer) === leaf) &&
    !different.some(([pointer]) => shown.get(pointer) === otherCreated.get(pointer))
  );
}
