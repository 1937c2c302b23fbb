import type { Json } from '../../harness/model/target.ts';
import { type CallChanges, jsonBody } from '../../harness/requests/call-spec.ts';
import { listSigns, rowOf, together } from '../../harness/requests/variation.ts';
import { bodyChanges } from './body-changes.ts';
import type { Factor, Trait } from './client-traits.ts';

/** Whether a slot has room for several values: a list in a header, or the words of a search. */
function isList(slot: string): boolean {
  return slot in listSigns || slot === '?q';
}

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
    const isFree = (isList(slot) && !alone.has(slot)) || !taken.has(trait.slot);
    const givesWay = isAlone === true || (givesWayTo !== undefined && taken.has(givesWayTo));
    const isSent = row.includes(trait) || (isFree && !givesWay);
    if (isSent) taken.add(trait.slot);
    return isSent;
  });
}

const changesOfBody = Object.keys(bodyChanges);

/** A call with these traits, of which those of the body change the valid one in an order in which they can be combined. */
export async function callWith(
  traits: readonly Trait[],
  validBody: () => Promise<Json>,
): Promise<CallChanges> {
  const place = ({ factor, id }: Trait): number => (factor === 'body' ? changesOfBody.indexOf(id) : -1);
  const inOrder = traits.toSorted((a, b) => place(a) - place(b));
  const isOfBody = traits.some(({ factor }) => factor === 'body');
  const call = {
    headers: {},
    ...(isOfBody && { body: jsonBody(await validBody()), holdsFreshValues: true }),
  };
  if (traits.length === 0) return call;
  const label = traits.map(({ says }) => says).join(' + ');
  return { ...together(inOrder, { ...call, label }), row: rowOf(traits) };
}
