import { namedSteps, type Step, witness } from '../../harness/checks/step.ts';
import { changedLeaves, type Leaf, mentions } from '../../harness/evidence/json-leaves.ts';
import type { StepPlan } from '../../harness/sampling/step-plan.ts';
import type { SessionClient } from './session-client.ts';
import type { SessionEvidence } from './session-evidence.ts';
import { bodyFields, fieldsOf, sessionIdOf } from './session-exchange.ts';
import { isLink, isStateValue, stateChanged } from './state-values.ts';

/** Reads of a session that should not change: enough to see fields that change at random. */
export const volatilityReads = 8;

/** Long enough for a time in seconds to change. */
const longPauseMs = 1_100;

const unexpected: StepPlan = { followUp: true };

type UntouchedStep = 'untouchedFirst' | 'untouchedAgain' | 'otherCancelled' | 'untouchedLast';

/** Steps that show what happens to a session that nobody cancels; sent only where a session changed unexpectedly. */
export const untouchedSteps: Readonly<Record<UntouchedStep, Step>> = namedSteps({
  untouchedFirst: witness('reads an untouched session', unexpected),
  untouchedAgain: witness('reads the untouched session again', unexpected),
  otherCancelled: witness('cancels another session', unexpected),
  untouchedLast: witness('reads the untouched session after others were created and cancelled', unexpected),
});

/** Reads a session that nobody cancels, over a pause and while another session is created and, if asked, cancelled. */
export async function watchUntouchedSession(
  sessions: SessionClient,
  other: 'created' | 'created and cancelled',
  pauseMs: number = longPauseMs,
): Promise<void> {
  const id = await sessions.create();
  await sessions.read(id, untouchedSteps.untouchedFirst);
  await sessions.pause(pauseMs);
  for (let reads = 1; reads <= volatilityReads; reads += 1) {
    await sessions.read(id, untouchedSteps.untouchedAgain);
  }
  const otherId = await sessions.tryToCreate();
  if (otherId !== undefined && otherId !== id && other === 'created and cancelled') {
    await sessions.cancel(otherId, untouchedSteps.otherCancelled);
  }
  await sessions.read(id, untouchedSteps.untouchedLast);
}

/** What happened to a session that nobody cancelled. */
export interface UntouchedSession {
  /** Why the session does not serve as a comparison; undefined where it stayed as it was. */
  readonly disturbed: string | undefined;
  /** Whether several creates returned it. */
  readonly isShared: boolean;
  /** Pointers of fields that differ between plain reads. */
  readonly volatilePointers: ReadonlySet<string>;
}

/** Evaluates the untouched session; undefined where the probe did not read it to the end. */
export function untouchedSessionOf(session: SessionEvidence<UntouchedStep>): UntouchedSession | undefined {
  const first = session.last('untouchedFirst');
  const again = session.last('untouchedAgain');
  const last = session.last('untouchedLast');
  const id = sessionIdOf(first);
  if (first === undefined || again === undefined || last === undefined || id === undefined) return undefined;
  const volatilePointers = new Set<string>();
  const result = (disturbed: string | undefined, isShared = false): UntouchedSession => ({
    disturbed,
    isShared,
    volatilePointers,
  });
  const { exchanges } = session;
  const wasUsed = exchanges.slice(0, exchanges.indexOf(first)).some((one) => sessionIdOf(one) === id);
  const later = exchanges.slice(exchanges.indexOf(again) + 1);
  const otherCreated = bodyFields(later.find((one) => session.isCreate(one)));
  if (wasUsed || (otherCreated !== undefined && mentions(otherCreated, id)))
    return result('the target returns one session for equal creates', true);
  const plainReads = [...session.all('untouchedFirst'), ...session.all('untouchedAgain')].map(fieldsOf);
  const [before, between, after] = [first, again, last].map(fieldsOf);
  if (before === undefined || between === undefined || after === undefined || plainReads.includes(undefined))
    return result('sessions cannot be read reliably');
  for (const pointer of before.keys()) {
    const values = plainReads.map((fields) => fields?.get(pointer));
    if (isTransition(values)) return result('sessions change by themselves');
    if (new Set(values).size > 1) volatilePointers.add(pointer);
  }
  if (changedLeaves(between, after).some((pointer) => !volatilePointers.has(pointer)))
    return result('sessions change while others are created and cancelled');
  const created = session.createdFields(first);
  if (created !== undefined && stateChanged(created, before, volatilePointers))
    return result('sessions change by themselves');
  return result(undefined);
}

/** Whether a state changed once and then stayed, as when another case replaces the session. Volatile fields go on changing. */
function isTransition(values: ReadonlyArray<Leaf | undefined>): boolean {
  const changes = values.filter((value, at) => at > 0 && value !== values[at - 1]).length;
  return (
    changes === 1 && values.every((value) => value !== undefined && isStateValue(value) && !isLink(value))
  );
}
