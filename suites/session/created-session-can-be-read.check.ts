import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, violatedOr } from '../../harness/checks/outcomes.ts';
import { namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { doubtAboutId, evaluateReads, wrongReads } from './created-reads.ts';
import { hasRole, sessionCheck } from './session-check.ts';
import type { SessionEvidence } from './session-evidence.ts';
import { unknownIdShownBy } from './session-identity.ts';
import { cancel, create, isOk, read, type SessionAct } from './session-story.ts';

const weight = 'medium';

/** A text of as many characters, and twice as many bytes. */
const texts = (text: string): string => text.replace(/[a-z]/gi, 'é');

const hasSecond = (session: SessionEvidence): boolean => session.last('readSecond') !== undefined;

const acts = namedSteps({
  readFirst: read('A', probe('reads the created session'), { needs: isOk }),
  readSecond: read('B', probe('reads a second created session')),
  readFirstAgain: read('A', probe('reads the first session after a second one was created', { weight }), {
    when: hasSecond,
  }),
  readFirstBesideSecond: read('A', probe('reads the first session at the same time as the second'), {
    once: true,
    when: hasSecond,
  }),
  readSecondBesideFirst: read('B', probe('reads the second session at the same time as the first'), {
    once: true,
    beside: true,
  }),
  createAccented: create(
    'C',
    // One text after the other, as some take given words alone.
    witness('creates a session with text outside ASCII', { times: 3, strength: 'part' }),
    { varied: { texts } },
  ),
  readAccented: read('C', probe('reads a session with text outside ASCII', { weight })),
  cancelPlain: cancel('B', witness('cancels a session', { weight }), { needs: isOk }),
  cancelAccented: cancel('A', witness('cancels a session with text outside ASCII', { weight }), {
    varied: { texts },
    needs: isOk,
  }),
  readCancelledAccented: read(
    'A',
    probe('reads a session that was cancelled with text outside ASCII', { weight }),
  ),
});

const steps = {
  ...acts,
  ...namedSteps({
    // Its recorded values show whether the target file names the place of the id, or the harness guessed it.
    readCaptured: witness('reads a session with the captured id', { followUp: true }),
    readByShownId: witness('reads the session by the id in the response'),
  }),
};

const { readFirst, ...told } = acts;
const { createAccented } = told;

const story: readonly SessionAct[] = [
  // A quick run reads the session with text outside ASCII in place of another one.
  { ...createAccented, call: { act: 'create', session: 'B' }, joined: 'all', orPlain: true },
  ...Object.values({ ...told, createAccented: { ...createAccented, weight } as const }),
];

const check: ActiveCheck = sessionCheck({
  requirement: 'SESSION-1',
  title: 'A created session can be read, and the read returns that session',
  applies: hasRole('reads-session'),
  steps,
  probe: async (sessions, client) => {
    const ids = new Map<string, string>();
    if (!(await sessions.play([readFirst], ids)))
      return client.call(steps.readCaptured, { persistent: true });
    const { evidence } = sessions;
    const sessionId = unknownIdShownBy(evidence, evidence.last('readFirst'));
    if (sessionId !== undefined) await client.call(steps.readByShownId, { parameters: { sessionId } });
    return sessions.play(story, ids);
  },
  evaluate: (session) => {
    const reads = session.lastOf('readFirst', 'readSecond');
    if (reads.length === 0) return inconclusive('no session was created that could be read');
    return (
      doubtAboutId(session) ?? violatedOr(wrongReads(session, reads), () => evaluateReads(session, reads))
    );
  },
});

export default check;
