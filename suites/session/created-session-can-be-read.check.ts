import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { varyTexts } from '../../harness/checks/vary-body.ts';
import { describeAnswer, parseBody } from '../../harness/evidence/answer.ts';
import { mentions } from '../../harness/evidence/json-leaves.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { likelySessionId } from '../../harness/requests/session-id.ts';
import { type SessionClient, withSessions } from './session-client.ts';
import { SessionEvidence } from './session-evidence.ts';
import { fieldsOf, hasStatus, sessionIdOf } from './session-exchange.ts';
import { sessionShownBy } from './session-identity.ts';
import { isReadOperation, uniqueBodyRemedy } from './session-operations.ts';

const steps = namedSteps({
  readFirst: probe('reads the created session'),
  readCaptured: witness('reads a session with the captured id', { followUp: true }),
  readByShownId: witness('reads the session by the id in the response'),
  readSecond: probe('reads a second created session'),
  readFirstAgain: probe('reads the first session after a second one was created', { from: 'standard' }),
  readFirstBesideSecond: probe('reads the first session at the same time as the second'),
  readSecondBesideFirst: probe('reads the second session at the same time as the first'),
  // One text after the other, as some take given words alone.
  createAccented: witness('creates a session with text outside ASCII', {
    times: { quick: 1, standard: 3, deep: 3 },
  }),
  readAccented: probe('reads a session with text outside ASCII', { from: 'standard' }),
  cancelPlain: witness('cancels a session', { from: 'standard' }),
  cancelAccented: witness('cancels a session with text outside ASCII', { from: 'standard' }),
  readCancelledAccented: probe('reads a session that was cancelled with text outside ASCII', {
    from: 'standard',
  }),
});

/** A text of as many characters, and twice as many bytes. */
const accented = (text: string): string => text.replace(/[a-z]/gi, 'é');

type Reads = SessionEvidence<keyof typeof steps>;

const captureRemedy = 'captures: { sessionId: /<pointer to the id in the answer to a create> }';

const check: ActiveCheck = activeCheck({
  requirement: 'SESSION-1',
  title: 'A created session can be read, and the read returns that session',
  applies: isReadOperation,
  needs: () => ['scoped-key', 'valid-call'],
  steps,
  probe: (client) =>
    withSessions(client, async (sessions) => {
      const first = await sessions.create();
      const read = await sessions.read(first, steps.readFirst);
      if (!hasStatus(read, 200)) {
        // Its recorded values show whether the target file names the place of the id, or the harness guessed it.
        await client.call(steps.readCaptured, { persistent: true });
        return;
      }
      const shown = sessions.evidence.otherIdShownBy(read);
      if (shown !== undefined) await client.call(steps.readByShownId, { parameters: { sessionId: shown } });
      const isJoined = !client.plans(steps.readAccented);
      // A quick run reads the session with text outside ASCII in place of another one.
      const second =
        (isJoined ? await createAccented(client, sessions) : undefined) ?? (await sessions.tryToCreate());
      if (second !== undefined && second !== first) {
        await sessions.read(second, steps.readSecond);
        if (!isJoined) await sessions.read(first, steps.readFirstAgain);
        await Promise.all([
          sessions.readOnce(first, steps.readFirstBesideSecond),
          sessions.readOnce(second, steps.readSecondBesideFirst),
        ]);
      }
      if (isJoined) return;
      const other = await createAccented(client, sessions);
      if (other !== undefined) await sessions.read(other, steps.readAccented);
      if (second !== undefined && second !== first)
        await readCancelledAccented(client, sessions, [first, second]);
    }),
  evaluate: (evidence) => {
    const session: Reads = new SessionEvidence(evidence);
    const first = session.last('readFirst');
    if (first === undefined) return inconclusive('no session was created that could be read');
    const doubt = hasStatus(first, 404) ? doubtAboutId(session, first) : undefined;
    if (doubt !== undefined) return doubt;
    const second = session.last('readSecond');
    const unread = [first, second]
      .filter((read) => read !== undefined)
      .filter((read) => !hasStatus(read, 200));
    return violatedOr(unread.map(notFound), () =>
      second === undefined
        ? evaluateAlone(session, first, uniqueBodyRemedy(evidence.operation))
        : evaluatePair(session, first, second),
    );
  },
});

export default check;

/**
 * Creates a session with text outside ASCII, which bodies of target files seldom hold; the checks of any response evaluate
 * what a read of it returns.
 */
async function createAccented(client: CaseClient, sessions: SessionClient): Promise<string | undefined> {
  const create = sessions.firstCreate;
  if (create === undefined || client.excludes('unknown-values', 'body', client.withRole('creates-session')))
    return undefined;
  return (await sessions.createWithOneOf(steps.createAccented, varyTexts(create, accented)))?.id;
}

/** The same for what a cancel says; a plain cancel of another session shows the body. */
async function readCancelledAccented(
  client: CaseClient,
  sessions: SessionClient,
  [id, other]: readonly [string, string],
): Promise<void> {
  if (client.excludes('unknown-values', 'body', client.withRole('ends-session'))) return;
  const plain = await sessions.cancel(other, steps.cancelPlain);
  const [body] = varyTexts(plain, accented);
  if (body === undefined || !hasStatus(plain, 200)) return;
  const cancel = await sessions.cancelOnce(id, steps.cancelAccented, { body });
  if (hasStatus(cancel, 200)) await sessions.readOnce(id, steps.readCancelledAccented);
}

/** Why a 404 may be due to a wrong id. */
function doubtAboutId(session: Reads, read: Exchange): Evaluation | undefined {
  const id = sessionIdOf(read) ?? '';
  const created = session.creationOf(read)?.response?.body;
  if (created?.text.includes(id) === false && !/[^A-Za-z0-9_.-]/.test(id))
    return inconclusive(
      'the session id is a number too large to be read exactly from the response to a create',
    );
  const source = session.all('readCaptured').at(-1)?.request.values['sessionId']?.source;
  const isLikely = likelySessionId(parseBody(created)) === id;
  return source === 'discovered' || (source === 'target-file' && isLikely)
    ? inconclusive(
        'answered 404 for an id that the harness guessed from the response to a create',
        captureRemedy,
      )
    : undefined;
}

function evaluateAlone(session: Reads, read: Exchange, remedy: string): Evaluation {
  const wrong = emptyOrUnknown(session, [read]);
  if (wrong !== undefined) return violatedOr([wrong], () => pass(''));
  const shown = fieldsOf(read);
  if (shown === undefined) return inconclusive('the 200 is not JSON, which SUCCESS-2 evaluates');
  return mentions(shown, sessionIdOf(read) ?? '')
    ? pass('read with 200 and the id of the create')
    : inconclusive('the read does not show the session id, and no second session could be compared', remedy);
}

function evaluatePair(session: Reads, first: Exchange, second: Exchange): Evaluation {
  const wrong = emptyOrUnknown(session, [first, second]);
  if (wrong !== undefined) return violatedOr([wrong], () => pass(''));
  // Another create or a time-out may have ended the sessions before these reads: only their 200 responses count.
  const later = [
    { read: session.last('readFirstAgain'), other: second },
    { read: session.last('readFirstBesideSecond'), other: second },
    { read: session.last('readSecondBesideFirst'), other: first },
  ].flatMap(({ read, other }) => (read !== undefined && hasStatus(read, 200) ? [{ read, other }] : []));
  const compared = [{ read: first, other: second }, { read: second, other: first }, ...later].map(
    ({ read, other }) => ({ read, shows: sessionShownBy(session, read, other) }),
  );
  const violations = compared.flatMap(({ read, shows }) => {
    if (shows === 'other') return [otherSession(session, '200 with another session', read)];
    return shows === 'same for both' ? [otherSession(session, '200 with one session for two ids', read)] : [];
  });
  return violatedOr(violations, () => {
    const unclear = compared.find(({ shows }) => shows === undefined);
    if (unclear === undefined) return pass(`${compared.length} reads of two sessions returned the right one`);
    return fieldsOf(unclear.read) === undefined
      ? inconclusive('the 200 is not JSON, which SUCCESS-2 evaluates')
      : notTested('the reads show nothing that tells two sessions apart', captureRemedy);
  });
}

/** A read that shows nothing, or an id that the target does not find. */
function emptyOrUnknown(session: Reads, reads: readonly Exchange[]): Violation | undefined {
  const empty = reads.find((read) => fieldsOf(read)?.size === 0);
  if (empty !== undefined) return otherSession(session, '200 with nothing in it', empty);
  const [first] = reads;
  return first !== undefined && hasStatus(session.last('readByShownId'), 404)
    ? otherSession(session, '200 with an id under which nothing is found', first)
    : undefined;
}

function notFound(exchange: Exchange): Violation {
  const statement = 'A created session could not be read';
  return { statement, expected: '200', actual: describeAnswer(exchange), exchange };
}

function otherSession(session: Reads, actual: string, exchange: Exchange): Violation {
  const statement = 'A read returned something other than the requested session';
  const expected = 'the session with the requested id';
  return { statement, expected, actual, exchange, steps: session.stepsTo(exchange) };
}
