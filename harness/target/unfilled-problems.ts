import type { Json } from '../model/target.ts';
import { entriesOf, entryOf } from './plain-json.ts';
import type { KeyPath, TargetProblem } from './target-problem.ts';

/** What `doctor` and reports put where only the user knows what belongs there. */
const unfilled = /^(?:…|… a valid \w+ …|<one that exists>)$/;

/** What to do about it. */
export const howToFill = 'put it in, or remove the line';

/** Whether a text was copied from a proposal and never filled in. */
export function isUnfilled(text: string): boolean {
  return unfilled.test(text);
}

/** Places in parameters and bodies that were copied from a proposal and never filled in. */
export function unfilledProblems(description: Json): TargetProblem[] {
  return ['parameters', 'bodies'].flatMap((section) =>
    entriesOf(entryOf(description, section)).flatMap(([name, value]) => unfilledIn(value, [section, name])),
  );
}

function unfilledIn(value: Json, path: KeyPath): TargetProblem[] {
  if (typeof value !== 'string')
    return entriesOf(value).flatMap(([name, member]) => unfilledIn(member, [...path, name]));
  return isUnfilled(value)
    ? [{ path, what: `${value} stands for what only you know`, remedy: howToFill }]
    : [];
}
