import { changedLeaves, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { createSession, creationOf, lastOf, sessionOf, shownBy, shownByCreate } from './session-evidence.ts';
import { stateChanged } from './state-words.ts';

/** Labels of the reads of a session that nobody cancels. */
export const untouchedSessionLabels = {
  first: 'reads a bystander',
  second: 'reads the bystander again',
  third: 'reads the bystander once others came and went',
} as const;

/** What became of a session that nobody cancelled. */
export interface UntouchedSession {
  /** Why it was no bystander, or did not stay as it was; undefined where it did. */
  readonly disturbed: string | undefined;
  /** It was the session of another create. */
  readonly shared: boolean;
  /** Pointers whose values change by themselves. */
  readonly volatilePointers: ReadonlySet<string>;
}

/** What was seen of the bystander; undefined where it was not watched to the end. */
export function untouchedSessionOf(exchanges: readonly Exchange[]): UntouchedSession | undefined {
  const reads = Object.values(untouchedSessionLabels).map((label) => lastOf(exchanges, label));
  const [first, second, third] = reads;
  const id = first && sessionOf(first);
  if (first === undefined || second === undefined || third === undefined || id === undefined)
    return undefined;
  const volatilePointers = new Set<string>();
  const found = (disturbed: string | undefined, shared = false): UntouchedSession => ({
    disturbed,
    shared,
    volatilePointers,
  });
  const usedBefore = exchanges
    .slice(0, exchanges.indexOf(first))
    .some((exchange) => sessionOf(exchange) === id);
  const later = exchanges.slice(exchanges.indexOf(second) + 1);
  const created = shownByCreate(later.find((exchange) => exchange.operation === createSession));
  if (usedBefore || (created !== undefined && mentions(created, id)))
    return found('the target gives one session for equal creates', true);
  const plain = exchanges.filter(
    ({ label }) => label === untouchedSessionLabels.first || label === untouchedSessionLabels.second,
  );
  const shown = plain.map(shownBy);
  const [one, two, three] = reads.map(shownBy);
  if (one === undefined || two === undefined || three === undefined || shown.includes(undefined))
    return found('sessions cannot be read reliably');
  for (const [pointer, leaf] of one) {
    if (shown.some((leaves) => leaves?.get(pointer) !== leaf)) volatilePointers.add(pointer);
  }
  if (changedLeaves(two, three).some((pointer) => !volatilePointers.has(pointer)))
    return found('sessions change while others are created and cancelled');
  const creation = shownByCreate(creationOf(exchanges, id));
  if (creation !== undefined && stateChanged(creation, one, volatilePointers))
    return found('sessions change before anything is done to them');
  return found(undefined);
}
