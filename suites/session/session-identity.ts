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
  if (mentions(shown, id)) return 'own';
  const created = session.createdFields(read);
  const otherCreated = session.createdFields(otherRead);
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
