import { groupBy } from '../../harness/group-by.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Identity, identitiesIn } from './identities.ts';

/** Ids of a caller; any other may be that of the server that happened to answer, or of a moment. */
const ofCallers =
  /(?:key|credential|client|app|application|installation|integration|token|account|merchant|store|shop|tenant|principal|user|caller|organi[sz]ation|vendor|partner)[_/-]?id$/i;

/** The places of an identity that hold an id of the caller; lists may come in any order. */
function idPlaces({ leaves }: Identity): readonly string[] {
  return [...leaves.keys()].filter((pointer) => ofCallers.test(pointer) && !/\/\d+(?:\/|$)/.test(pointer));
}

/** The ids of the caller in a response, as a text; empty for none. */
export function idsIn(exchange: Exchange): string {
  const [identity] = identitiesIn([exchange]);
  return identity === undefined ? '' : String(idPlaces(identity).map((id) => identity.leaves.get(id)));
}

/**
 * Two identities that both keys got, with another id of the caller and another value beside it. Each key has one identity, so
 * the moment decides, as with a cache that is filled by whoever calls first. The later one comes last.
 */
export function sharedIdentities(
  identities: readonly Identity[],
): readonly [earlier: Identity, later: Identity] | undefined {
  const [first] = identities;
  const ids = first === undefined ? [] : idPlaces(first);
  const groups = [
    ...groupBy(identities, ({ leaves }) => JSON.stringify(ids.map((id) => leaves.get(id)))).values(),
  ];
  const isShared = (some: readonly Identity[]): boolean => new Set(some.map(({ key }) => key)).size > 1;
  const [[one] = [], [other] = []] = groups;
  if (!one || !other || groups.length > 2 || !groups.every(isShared)) return undefined;
  const isOther = (pointer: string): boolean => one.leaves.get(pointer) !== other.leaves.get(pointer);
  const changed = [...one.leaves.keys()].filter(isOther);
  if (!ids.some(isOther) || changed.length < 2) return undefined;
  return one.exchange.startedAt < other.exchange.startedAt ? [one, other] : [other, one];
}
