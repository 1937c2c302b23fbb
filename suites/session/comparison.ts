import { notTested, violatedOr } from '../../harness/checks/outcomes.ts';
import { namedSteps, type Steps, witness } from '../../harness/checks/step.ts';
import { changedLeaves, type Leaf, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import { bodyFields, fieldsOf, type SessionEvidence, sessionIdOf } from './session-evidence.ts';
import { isLink, isStateValue, stateChanged } from './session-fields.ts';
import { cancel, create, read, repeated, type SessionAct } from './session-story.ts';

/** Reads of a session that should not change: enough to see fields that change at random. */
export const volatilityReads = 8;

/** Long enough for a time in seconds to change. */
const longPauseMs = 1_100;

const followUp = true;

const steps = namedSteps({
  untouchedFirst: read('A', witness('reads an untouched session', { followUp })),
  untouchedAgain: read('A', witness('reads the untouched session again', { followUp })),
  otherCreated: create('B', { role: 'setup', label: 'creates another session', followUp }),
  otherCancelled: cancel('B', witness('cancels another session', { followUp })),
  untouchedLast: read(
    'A',
    witness('reads the untouched session after others were created and cancelled', { followUp }),
  ),
});

/** Steps that show what happens to a session that nobody cancels; sent only where a session changed unexpectedly. */
export const untouchedSteps: Steps = steps;

/** A session that nobody cancels is read, over a pause and while another one is created and, if asked, cancelled. */
export function untouchedStory(
  other: 'created' | 'created and cancelled',
  pauseMs: number = longPauseMs,
): readonly SessionAct[] {
  const { untouchedFirst, untouchedAgain, otherCreated, otherCancelled, untouchedLast } = steps;
  return [
    untouchedFirst,
    { ...untouchedAgain, pauseMs: () => pauseMs },
    ...repeated(volatilityReads - 1, untouchedAgain),
    otherCreated,
    ...(other === 'created' ? [] : [otherCancelled]),
    untouchedLast,
  ];
}

/** What happened to a session that nobody cancelled. */
interface UntouchedSession {
  /** Why the session does not serve as a comparison; undefined where it stayed as it was. */
  readonly disturbed?: string | undefined;
  /** Whether several creates returned it. */
  readonly isShared?: true;
  /** Pointers of fields that differ between plain reads. */
  readonly volatilePointers: ReadonlySet<string>;
}

/** Evaluates changes of sessions, which count only where an untouched session stayed as it was. */
export function unlessDisturbed(
  session: SessionEvidence,
  what: string,
  changesBut: (volatilePointers?: ReadonlySet<string>) => readonly Violation[],
  otherwise: () => Evaluation,
): Evaluation {
  const untouched = untouchedSessionOf(session);
  const changes = changesBut(untouched?.volatilePointers);
  if (changes.length === 0) return otherwise();
  if (untouched === undefined)
    return notTested(`${what}, and no other session could be created to compare it with`);
  const { disturbed } = untouched;
  return disturbed === undefined
    ? violatedOr(changes, otherwise)
    : notTested(`${what}, but ${disturbed}, so something else may have changed it`, session.remedy);
}

/** Evaluates the untouched session; undefined where the probe did not read it to the end. */
export function untouchedSessionOf(session: SessionEvidence): UntouchedSession | undefined {
  const reads = ['untouchedFirst', 'untouchedAgain', 'untouchedLast'].map((step) => session.last(step));
  const [first, again, last] = reads;
  const id = sessionIdOf(first);
  if (first === undefined || again === undefined || last === undefined || id === undefined) return undefined;
  const volatilePointers = new Set<string>();
  const disturbedBy = (disturbed?: string): UntouchedSession => ({ disturbed, volatilePointers });
  const { exchanges } = session;
  const wasUsed = session.callsOn(id)[0] !== session.of('untouchedFirst')[0];
  const otherCreated = bodyFields(
    session.creates.find((one) => exchanges.indexOf(one) > exchanges.indexOf(again)),
  );
  if (wasUsed || (otherCreated !== undefined && mentions(otherCreated, id)))
    return { ...disturbedBy('the target returns one session for equal creates'), isShared: true };
  const plainReads = [...session.of('untouchedFirst'), ...session.of('untouchedAgain')].map(fieldsOf);
  const [before, between, after] = reads.map(fieldsOf);
  if (before === undefined || between === undefined || after === undefined || plainReads.includes(undefined))
    return disturbedBy('sessions cannot be read reliably');
  const byItself = disturbedBy('sessions change by themselves');
  for (const pointer of before.keys()) {
    const values = plainReads.map((fields) => fields?.get(pointer));
    if (isTransition(values)) return byItself;
    if (new Set(values).size > 1) volatilePointers.add(pointer);
  }
  if (changedLeaves(between, after).some((pointer) => !volatilePointers.has(pointer)))
    return disturbedBy('sessions change while others are created and cancelled');
  const created = session.createdFields(first);
  return created !== undefined && stateChanged(created, before, volatilePointers) ? byItself : disturbedBy();
}

/** Whether a state changed once and then stayed, as when another case replaces the session. Volatile fields go on changing. */
function isTransition(values: ReadonlyArray<Leaf | undefined>): boolean {
  const changes = values.filter((value, at) => at > 0 && value !== values[at - 1]).length;
  return (
    changes === 1 && values.every((value) => value !== undefined && isStateValue(value) && !isLink(value))
  );
}
