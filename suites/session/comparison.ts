import { namedSteps, type Steps, witness } from '../../harness/checks/step.ts';
import { startOf } from '../../harness/evidence/answer.ts';
import { changedLeaves, type Leaf, mentions } from '../../harness/evidence/json-leaves.ts';
import type { SessionClient } from './session-client.ts';
import { bodyFields, fieldsOf, type SessionEvidence, sessionIdOf } from './session-evidence.ts';
import { isLink, isStateValue, stateChanged } from './session-fields.ts';
import type { Contradiction } from './session-model.ts';

/** Reads of a session that should not change: enough to see fields that change at random. */
export const volatilityReads = 8;

/** Long enough for a time in seconds to change, and the longest pause of a comparison. */
const [shortestPauseMs, longestPauseMs] = [1_100, 5_000];

const steps = namedSteps({
  untouchedFirst: witness('reads an untouched session'),
  untouchedAgain: witness('reads the untouched session again'),
  otherCreated: { role: 'setup', label: 'creates another session' },
  otherCancelled: witness('cancels another session'),
  untouchedLast: witness('reads the untouched session once more'),
});

/** Steps that show what happens to a session that nobody cancels; sent only where a session changed unexpectedly. */
export const untouchedSteps: Steps = steps;

/** What happens to other sessions meanwhile. */
export type Company = 'nothing' | 'another is created' | 'another is created and cancelled';

/** Where something else may be the cause: reads a session that nobody cancels for longer than those lived. */
export async function compareDoubtful(
  sessions: SessionClient,
  contradictions: readonly Contradiction[],
  company: Company,
): Promise<void> {
  const ages = contradictions.filter((one) => one.isDoubtful && one.age < Infinity).map(({ age }) => age);
  if (ages.length === 0) return;
  const pauseMs = Math.min(Math.max(shortestPauseMs, 1.5 * Math.max(...ages) + 100), longestPauseMs);
  const compare = async (): Promise<void> => {
    const more = await sessions.apart('read A', steps.untouchedFirst);
    await sessions.client.pause(pauseMs);
    for (let reads = 0; reads < volatilityReads; reads += 1) await more('read A', steps.untouchedAgain);
    if (company !== 'nothing') await more('create B', steps.otherCreated);
    if (company === 'another is created and cancelled') await more('cancel B', steps.otherCancelled);
    await more('read A', steps.untouchedLast);
  };
  await compare();
  // The last cancel before may have harmed the session that was created next.
  if (company === 'nothing' && untouchedSessionOf(sessions.evidence)?.disturbed !== undefined) {
    await sessions.apart('create B', steps.otherCreated);
    await compare();
  }
}

/** Why something else may have caused a contradiction; undefined where nothing can have. */
export function doubtAbout(session: SessionEvidence, { isDoubtful, age }: Contradiction): string | undefined {
  if (!isDoubtful) return undefined;
  if (age === Infinity) return 'the target returned the same session to another case';
  const untouched = untouchedSessionOf(session);
  if (untouched === undefined) return 'no other session could be created to compare it with';
  return untouched.disturbed ?? (untouched.restedMs < age ? 'it may have ended by itself' : undefined);
}

/** What happened to a session that nobody cancelled. */
interface UntouchedSession {
  /** Why the session does not serve as a comparison; undefined where it stayed as it was. */
  readonly disturbed?: string | undefined;
  /** Pointers of fields that differ between plain reads. */
  readonly volatilePointers: ReadonlySet<string>;
  /** Milliseconds between its create and its last read. */
  readonly restedMs: number;
}

/** Evaluates the untouched session; undefined where the probe did not read it to the end. */
export function untouchedSessionOf(session: SessionEvidence): UntouchedSession | undefined {
  const reads = ['untouchedFirst', 'untouchedAgain', 'untouchedLast'].map((step) => session.last(step));
  const [first, again, last] = reads;
  const id = sessionIdOf(first);
  if (first === undefined || again === undefined || last === undefined || id === undefined) return undefined;
  const volatilePointers = new Set<string>();
  const restedMs = startOf(last) - startOf(session.creationOf(id) ?? first);
  const disturbedBy = (disturbed?: string): UntouchedSession => ({ disturbed, volatilePointers, restedMs });
  const later = session.exchanges.slice(session.exchanges.indexOf(again));
  const otherCreated = bodyFields(later.find((one) => session.is('creates-session', one)));
  const calls = session.callsOn(id);
  if (calls[0]?.step !== 'untouchedFirst' || (otherCreated !== undefined && mentions(otherCreated, id)))
    return disturbedBy('the target returns one session for equal creates');
  // Reads before the first that counts came too early.
  const settled = calls.slice(calls.indexOf(first));
  const plainReads = settled.filter(({ step }) => step !== 'untouchedLast').map(fieldsOf);
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
