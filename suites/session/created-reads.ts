import { inconclusive, notTested, pass } from '../../harness/checks/outcomes.ts';
import { parseBody } from '../../harness/evidence/answer.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { likelySessionId } from '../../harness/requests/session-id.ts';
import { anotherSession } from '../../harness/results/causes/cause-fixes.ts';
import { fieldsOf, hasStatus, type SessionEvidence, sessionIdOf } from './session-evidence.ts';
import { sessionShownBy } from './session-identity.ts';
import { contradictionsAt, violationOf } from './session-model.ts';

const captureRemedy = 'captures: { sessionId: /<pointer to the id in the answer to a create> }';

/** Why a 404 may be due to a wrong id; undefined where it is not. */
export function doubtAboutId(session: SessionEvidence): Evaluation | undefined {
  const read = session.last('readFirst');
  if (!hasStatus(read, 404)) return undefined;
  const id = sessionIdOf(read) ?? '';
  const created = session.creationOf(id)?.response?.body;
  if (created?.text.includes(id) === false && !/[^A-Za-z0-9_.-]/.test(id))
    return inconclusive(
      'the session id is a number too large to be read exactly from the response to a create',
    );
  const source = session.of('readCaptured').at(-1)?.request.values['sessionId']?.source;
  const isLikely = likelySessionId(parseBody(created)) === id;
  return source === 'discovered' || (source === 'target-file' && isLikely)
    ? inconclusive(
        'answered 404 for an id that the harness guessed from the response to a create',
        captureRemedy,
      )
    : undefined;
}

/** Reads that do not find their session, show nothing, an id that the target does not find, or another session. */
export function wrongReads(session: SessionEvidence, reads: readonly Exchange[]): readonly Violation[] {
  const unread = contradictionsAt(session, 'status', 'readFirst', 'readSecond');
  if (unread.length > 0) return unread.map(violationOf);
  const wrong = (actual: string, exchange: Exchange): Violation => ({
    statement: 'A read returned something other than the requested session',
    expected: 'the session with the requested id',
    actual,
    exchange,
    steps: session.stepsTo(exchange),
  });
  const [first] = reads;
  const empty = reads.find((read) => fieldsOf(read)?.size === 0);
  if (empty !== undefined) return [wrong('200 with nothing in it', empty)];
  if (first !== undefined && session.answered('readByShownId', 404))
    return [wrong('200 with an id under which nothing is found', first)];
  const others = contradictionsAt(session, 'identity', 'readFirst', 'readSecond', ...laterReads);
  return others.map(({ exchange }) => ({
    ...wrong('200 with another session', exchange),
    deviation: anotherSession,
  }));
}

/** Another create or a time-out may have ended the sessions before these: only their 200 responses count. */
const laterReads = ['readFirstAgain', 'readFirstBesideSecond', 'readSecondBesideFirst'];

/** The evaluation where no read is wrong. */
export function evaluateReads(session: SessionEvidence, reads: readonly Exchange[]): Evaluation {
  const compared = [...reads, ...session.lastOf(...laterReads).filter((read) => hasStatus(read, 200))];
  const unclear = compared.find((read) => sessionShownBy(session, read) !== 'own');
  if (unclear === undefined) return pass(`${compared.length} reads returned the right session`);
  if (fieldsOf(unclear) === undefined) return inconclusive('the 200 is not JSON, which SUCCESS-2 evaluates');
  return reads.length > 1
    ? notTested('the reads show nothing that tells two sessions apart', captureRemedy)
    : inconclusive(
        'the read does not show the session id, and no second session could be compared',
        session.remedy,
      );
}
