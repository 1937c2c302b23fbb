import { mentions } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { bodyFields, fieldsOf, type SessionEvidence, sessionIdOf } from './session-evidence.ts';
import { changesOf, isNumberOf, looksLikeId } from './session-fields.ts';

/** A shorter id can occur in a response by chance. */
const minimumIdLength = 8;

/** The session of a response: its `own`, `another`, or one with an `unknown` id; undefined where nothing tells. */
type ShownSession = 'own' | 'another' | 'unknown' | undefined;

/** Compares a response about a session with what all creates and responses showed of theirs. */
export function sessionShownBy(session: SessionEvidence, exchange: Exchange): ShownSession {
  const [shown, id] = [fieldsOf(exchange), sessionIdOf(exchange)];
  if (shown === undefined || id === undefined) return undefined;
  // An id that only a response showed may be another name of this session.
  const otherIds = session.ids.filter((one) => one !== id && session.creationOf(one) !== undefined);
  const isAltered = changesOf(session.createdFields(exchange), shown).length > 0;
  if (isAltered && otherIds.some((otherId) => hasContentsOf(session, exchange, otherId))) return 'another';
  if (mentions(shown, id)) return 'own';
  const pointers = session.idPointers(exchange);
  const shownIds = pointers.map((pointer) => shown.get(pointer));
  if (otherIds.some((otherId) => shownIds.some((leaf) => String(leaf) === otherId))) return 'another';
  const isExact = exchange.response?.body.text.includes(id) === true;
  if (!isExact && shownIds.some((leaf) => isNumberOf(leaf, id))) return 'unknown';
  if (otherIds.some((otherId) => otherId.length >= minimumIdLength && mentions(shown, otherId)))
    return 'another';
  const isId = shownIds.some((leaf) => looksLikeId(leaf, id));
  const earlier = session.callsOn(id).slice(0, session.callsOn(id).indexOf(exchange));
  const isLike = (one: Exchange): boolean => one.operation === exchange.operation;
  if (isId && earlier.some((one) => isLike(one) && mentions(fieldsOf(one) ?? new Map(), id)))
    return 'another';
  if (otherIds.length > 0 && otherIds.every((one) => isToldFrom(session, exchange, one))) return 'own';
  if (!isId) return undefined;
  const isOfTwo = otherIds.some((one) =>
    session.callsOn(one).some((other) => pointers.some((at) => fieldsOf(other)?.get(at) === shown.get(at))),
  );
  return isOfTwo ? 'another' : 'unknown';
}

/** The id that a response shows in place of the one of its session; undefined where it shows none. */
export function unknownIdShownBy(
  session: SessionEvidence,
  exchange: Exchange | undefined,
): string | undefined {
  if (exchange === undefined || sessionShownBy(session, exchange) !== 'unknown') return undefined;
  const id = sessionIdOf(exchange) ?? '';
  const shown = session.idPointers(exchange).map((pointer) => fieldsOf(exchange)?.get(pointer));
  return String(shown.find((leaf) => looksLikeId(leaf, id)));
}

/** The fields that a response shows and the creates of its session and of another one showed with different values. */
function tellingFields(
  session: SessionEvidence,
  exchange: Exchange,
  otherId: string,
): ReadonlyArray<Readonly<Record<'shown' | 'own' | 'other', unknown> & { at: string }>> {
  const fields = fieldsOf(exchange);
  const others = bodyFields(session.creationOf(otherId));
  return [...(session.createdFields(exchange) ?? [])].flatMap(([at, own]) => {
    const [shown, other] = [fields?.get(at), others?.get(at)];
    return shown === undefined || other === undefined || own === other ? [] : [{ at, shown, own, other }];
  });
}

/** Whether a response tells its session from another one by what their creates showed. */
function isToldFrom(session: SessionEvidence, exchange: Exchange, otherId: string): boolean {
  const telling = tellingFields(session, exchange, otherId);
  const isShown = (whose: 'own' | 'other'): boolean => telling.some((one) => one.shown === one[whose]);
  return isShown('own') && !isShown('other');
}

/** Whether a value tells sessions apart, as a text of some length that holds none of these ids. */
function isTelling(leaf: unknown, ...ids: readonly string[]): boolean {
  return typeof leaf === 'string' && leaf.length >= minimumIdLength && !ids.some((id) => leaf.includes(id));
}

/** Whether a response shows all the texts that an older session keeps: its create cannot have shown them. */
function hasContentsOf(session: SessionEvidence, exchange: Exchange, otherId: string): boolean {
  const id = sessionIdOf(exchange) ?? '';
  const [created, otherCreated] = [session.creationOf(id), session.creationOf(otherId)];
  if (created === undefined || otherCreated === undefined || created.startedAt <= otherCreated.startedAt)
    return false;
  const texts = tellingFields(session, exchange, otherId).filter(
    ({ at, own, other }) =>
      isTelling(own, id, otherId) && isTelling(other, id, otherId) && isKept(session, otherId, at, other),
  );
  return texts.length > 0 && texts.every(({ shown, other }) => shown === other);
}

/** Whether all calls on a session showed a field as its create did, so that it belongs to the session and not to the call. */
function isKept(session: SessionEvidence, id: string, at: string, created: unknown): boolean {
  const shown = session.callsOn(id).flatMap((one) => fieldsOf(one)?.get(at) ?? []);
  return shown.length > 0 && shown.every((leaf) => leaf === created);
}
