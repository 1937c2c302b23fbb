import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { isOk } from '../../harness/evidence/answer.ts';
import { groupBy } from '../../harness/group-by.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { holdersIn, holdsScope, type Identity, identitiesIn, ofHolder, scope } from './identities.ts';

const byTurns = {
  statement: 'Both keys got one identity at some moments, and another one at others',
  actual: '200 with an identity that both keys get at times',
};

export const check: CollectiveCheck = comparedAnswers({
  requirement: 'AUTH-5',
  title: 'no call with one key returns the identity of the other one',
  applies: ({ role }) => role === 'identifies-key' || role === 'identifies-installation',
  dedupeKey: (exchange) => {
    const { kind } = exchange.request.credential;
    if ((kind !== 'scoped' && kind !== 'unscoped') || !isOk(exchange)) return undefined;
    // Hardly any response names it.
    const isNaming = exchange.response?.body.text.includes(scope) === true;
    const isHolder = isNaming && identitiesIn([exchange]).some(({ leaves }) => holdsScope(leaves));
    return `${exchange.operation} ${kind} ${isHolder} ${idsIn(exchange)}`;
  },
  look: (mine) => {
    const identities = identitiesIn(mine);
    const shared = sharedIdentities(identities);
    if (shared !== undefined) {
      const steps = shared.map(({ exchange }) => exchange);
      return [{ ...byTurns, exchange: shared[1].exchange, steps }];
    }
    if (holdersIn(identities).length === 0 || !identities.some(({ key }) => key === 'unscoped'))
      return 'the identities of the two keys were not observed, or they list no scope';
    return ofHolder(identities).map(({ exchange }) => exchange);
  },
  statement: 'The identity of another key was returned',
  expected: 'the identity of the calling key',
  actual: '200 with the identity of the other key',
  passes: 'no other key got the identity of the key with the scope',
});

/** Ids of a caller; any other may be that of the server that happened to answer, or of a moment. */
const ofCallers =
  /(?:key|credential|client|app|application|installation|integration|token|account|merchant|store|shop|tenant|principal|user|caller|organi[sz]ation|vendor|partner)[_/-]?id$/i;

/** The places of an identity that hold an id of the caller; lists may come in any order. */
function idPlaces({ leaves }: Identity): readonly string[] {
  return [...leaves.keys()].filter((pointer) => ofCallers.test(pointer) && !/\/\d+(?:\/|$)/.test(pointer));
}

/** The ids of the caller in a response, as a text; empty for none. */
function idsIn(exchange: Exchange): string {
  const [identity] = identitiesIn([exchange]);
  return identity === undefined ? '' : String(idPlaces(identity).map((id) => identity.leaves.get(id)));
}

/**
 * Two identities that both keys got, with another id of the caller and another value beside it. Each key has one identity, so
 * the moment decides, as with a cache that is filled by whoever calls first, or a variable that requests share. The later one comes last.
 */
function sharedIdentities(
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
