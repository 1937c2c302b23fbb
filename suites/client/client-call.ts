import { defined } from '../../harness/defined.ts';
import type { Row } from '../../harness/model/exchange.ts';
import type { CallChanges, RawBody } from '../../harness/requests/call-spec.ts';
import type { KeyRing } from '../../harness/requests/key-ring.ts';
import { bodyChanges } from './body-changes.ts';
import type { Factor, Trait } from './client-traits.ts';

/** Slots whose values are lists, with what separates two of them: headers, and the words of a search. */
const lists: Readonly<Record<string, string>> = {
  accept: ', ',
  'accept-encoding': ', ',
  'accept-language': ', ',
  cookie: '; ',
  'user-agent': ' ',
  'x-forwarded-for': ', ',
  prefer: ', ',
  'cache-control': ', ',
  '?q': '+',
};

/** The traits of one client for all: those of a row and of the others, each slot once, lists joined, what is alone aside. */
export function withOtherTraits(
  row: readonly Trait[],
  factors: ReadonlyArray<Factor | undefined>,
): readonly Trait[] {
  const given = row.map(({ givesWayTo }) => givesWayTo);
  const taken = new Set<string | undefined>([undefined, ...given]);
  const alone = new Set([...given, ...row.filter(({ isAlone }) => isAlone).map(({ slot }) => slot)]);
  return [...new Set([...row, ...factors.flatMap((factor) => factor?.flat() ?? [])])].filter((trait) => {
    const { slot = '', isAlone, givesWayTo } = trait;
    const isList = slot in lists && !alone.has(slot);
    const isFree = isList || !taken.has(trait.slot);
    const givesWay = isAlone === true || (givesWayTo !== undefined && taken.has(givesWayTo));
    const isSent = row.includes(trait) || (isFree && !givesWay);
    if (isSent) taken.add(trait.slot);
    return isSent;
  });
}

/** Label and row of a call with these traits; those of the step where there are none. */
function namedBy(traits: readonly Trait[]): { readonly label?: string; readonly row?: Row } {
  const row: Record<string, readonly string[]> = {};
  for (const { factor, id } of traits) row[factor] = [...(row[factor] ?? []), id];
  return traits.length === 0 ? {} : { label: traits.map(({ name }) => name).join(' + '), row };
}

/** The changes of all traits, but for those of the body. */
export function changesOf(traits: readonly Trait[], keys: KeyRing): CallChanges {
  const headers: Record<string, string | undefined> = {};
  for (const { header } of traits) {
    if (header === undefined) continue;
    const [name, value] = header;
    const values = [headers[name], value].filter((one) => one !== undefined);
    headers[name] = values.length === 0 ? undefined : values.join(lists[name] ?? '');
  }
  const query = joinedQuery(traits);
  const wire = traits.flatMap((trait) => trait.wire ?? []);
  return {
    ...{ ...namedBy(traits), headers, ...defined({ credential: credentialOf(traits, keys) }) },
    ...(query !== '' && { query }),
    ...(wire.length > 0 && { wire }),
  };
}

/** The valid body as all traits change it; undefined where none does. */
export function bodyWith(traits: readonly Trait[]): ((valid: RawBody) => RawBody) | undefined {
  const ids = new Set(traits.flatMap(({ factor, id }) => (factor === 'body' ? [id] : [])));
  const changes = Object.entries(bodyChanges).flatMap(([id, change]) => (ids.has(id) ? [change] : []));
  return changes.length === 0 ? undefined : (valid) => changes.reduce((body, change) => change(body), valid);
}

/** Parameters one after the other, with the words of all searches in one. */
function joinedQuery(traits: readonly Trait[]): string {
  const searches = traits
    .filter(({ slot }) => slot === '?q')
    .map(({ query = '' }) => query.slice('q='.length).split('&'));
  const words = searches.map(([first]) => first).join(lists['?q']);
  return [
    ...(searches.length === 0 ? [] : [`q=${words}`]),
    ...searches.flatMap(([, ...rest]) => rest),
    ...traits.flatMap(({ slot, query }) => (slot === '?q' ? [] : (query ?? []))),
  ].join('&');
}

function credentialOf(traits: readonly Trait[], keys: KeyRing): CallChanges['credential'] {
  const { scoped, unscoped, invalid, unreadable } = keys;
  const good = { scoped: scoped ?? unscoped, unscoped: unscoped ?? scoped };
  const [kind] = traits.flatMap(({ credential }) => credential ?? []);
  return kind && { ...good, unknown: invalid[0], unreadable: unreadable[0] }[kind];
}
