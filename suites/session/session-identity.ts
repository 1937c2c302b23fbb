import { inconclusive, notTested, pass } from '../../harness/checks/outcomes.ts';
import { parseBody } from '../../harness/evidence/answer.ts';
import { type Leaf, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { likelySessionId } from '../../harness/requests/session-id.ts';
import {
  bodyFields,
  fieldsOf,
  hasStatus,
  idPointers,
  looksLikeId,
  type SessionEvidence,
  sessionIdOf,
} from './session-evidence.ts';

const captureRemedy = 'captures: { sessionId: /<pointer to the id in the answer to a create> }';

/** Why a 404 may be due to a wrong id; undefined where it is not. */
export function doubtAboutId(session: SessionEvidence): Evaluation | undefined {
  const read = session.last('readFirst');
  if (!hasStatus(read, 404)) return undefined;
  const id = sessionIdOf(read) ?? '';
  const created = session.creationOf(read)?.response?.body;
  if (created?.text.includes(id) === false && !/[^A-Za-z0-9_.-]/.test(id))
    return inconclusive(
      'the session id is a number too large to be read exactly from the response to a create',
    );
  const source = session.all('readCaptured').at(-1)?.request.values['sessionId']?.source;
  const isLikely = likelySessionId(parseBody(created)) === id;
  return source === 'discovered' || (source === 'target-file' && isLikely)
    ? inconclusive(
        'answered 404 for an id that the harness guessed from the response to a create',
        captureRemedy,
      )
    : undefined;
}

/** Reads that show nothing, an id that the target does not find, or another session than the requested one. */
export function wrongSessions(session: SessionEvidence, reads: readonly Exchange[]): readonly Violation[] {
  const wrong = (actual: string, exchange: Exchange): Violation => ({
    statement: 'A read returned something other than the requested session',
    expected: 'the session with the requested id',
    actual,
    exchange,
    steps: session.stepsTo(exchange),
  });
  const [first] = reads;
  const empty = reads.find((read) => fieldsOf(read)?.size === 0);
  if (empty !== undefined) return [wrong('200 with nothing in it', empty)];
  if (first !== undefined && session.answered('readByShownId', 404))
    return [wrong('200 with an id under which nothing is found', first)];
  return comparedReads(session, reads).flatMap(({ read, shows }) => {
    if (shows === 'other') return [wrong('200 with another session', read)];
    return shows === 'same for both' ? [wrong('200 with one session for two ids', read)] : [];
  });
}

/** The evaluation where no read is wrong. */
export function evaluateReads(session: SessionEvidence, reads: readonly Exchange[]): Evaluation {
  const compared = comparedReads(session, reads);
  const [only] = reads;
  const unclear = compared.length === 0 ? only : compared.find(({ shows }) => shows === undefined)?.read;
  if (unclear === undefined) return pass(`${compared.length} reads of two sessions returned the right one`);
  const shown = fieldsOf(unclear);
  if (shown === undefined) return inconclusive('the 200 is not JSON, which SUCCESS-2 evaluates');
  if (compared.length > 0)
    return notTested('the reads show nothing that tells two sessions apart', captureRemedy);
  return mentions(shown, sessionIdOf(unclear) ?? '')
    ? pass('read with 200 and the id of the create')
    : inconclusive(
        'the read does not show the session id, and no second session could be compared',
        session.remedy,
      );
}

/** The reads of two sessions, and which session each shows; none where there is one session alone. */
function comparedReads(
  session: SessionEvidence,
  [first, second]: readonly Exchange[],
): ReadonlyArray<{ readonly read: Exchange; readonly shows: ShownSession }> {
  if (first === undefined || second === undefined) return [];
  // Another create or a time-out may have ended the sessions before these reads: only their 200 responses count.
  const later = session.lastOf('readFirstAgain', 'readFirstBesideSecond', 'readSecondBesideFirst');
  return [first, second, ...later.filter((read) => hasStatus(read, 200))].map((read) => {
    const other = sessionIdOf(read) === sessionIdOf(first) ? second : first;
    return { read, shows: sessionShownBy(session, read, other) };
  });
}

/** A shorter id can occur in a response by chance. */
const minimumIdLength = 8;

/** Which session a response shows; `same for both` means one session for two ids. */
type ShownSession = 'own' | 'other' | 'same for both' | undefined;

/** Compares a read with the read of another session; undefined where the responses do not tell sessions apart. */
function sessionShownBy(session: SessionEvidence, read: Exchange, otherRead: Exchange): ShownSession {
  const shown = fieldsOf(read);
  const [id, otherId] = [sessionIdOf(read), sessionIdOf(otherRead)];
  if (shown === undefined || id === undefined || otherId === undefined) return undefined;
  const [creation, otherCreation] = [session.creationOf(read), session.creationOf(otherRead)];
  const [created, otherCreated] = [bodyFields(creation), bodyFields(otherCreation)];
  const differing = [...(created ?? [])].filter(
    ([pointer, leaf]) => shown.has(pointer) && ![undefined, leaf].includes(otherCreated?.get(pointer)),
  );
  const isOwn = ([pointer, leaf]: readonly [string, Leaf]): boolean => shown.get(pointer) === leaf;
  const isOther = ([pointer]: readonly [string, Leaf]): boolean =>
    shown.get(pointer) === otherCreated?.get(pointer);
  const texts = differing.filter(([pointer, leaf]) =>
    [leaf, otherCreated?.get(pointer)].every(
      (one) =>
        typeof one === 'string' &&
        one.length >= minimumIdLength &&
        ![id, otherId].some((part) => one.includes(part)),
    ),
  );
  // The create of a session cannot have shown what an older one shows.
  const isYounger = creation && otherCreation && creation.startedAt > otherCreation.startedAt;
  if (isYounger === true && texts.length > 0 && texts.every(isOther)) return 'other';
  if (mentions(shown, id)) return 'own';
  if (created === undefined || otherCreated === undefined) return undefined;
  const pointers = idPointers(created, id);
  if (pointers.some((pointer) => String(shown.get(pointer)) === otherId)) return 'other';
  if (otherId.length >= minimumIdLength && mentions(shown, otherId)) return 'other';
  if (differing.some(isOwn) && !differing.some(isOther)) return 'own';
  const isSame = pointers.some(
    (pointer) =>
      fieldsOf(otherRead)?.get(pointer) === shown.get(pointer) && looksLikeId(shown.get(pointer), id),
  );
  return isSame ? 'same for both' : undefined;
}
