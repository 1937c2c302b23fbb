import { inconclusive, notTested, pass, violated } from '../../harness/checks/outcomes.ts';
import { hasStatus, parseBody } from '../../harness/evidence/answer.ts';
import { isMoment } from '../../harness/evidence/json-leaves.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { likelySessionId } from '../../harness/requests/session-id.ts';
import { bodyFields, fieldsOf, type SessionEvidence, sessionIdOf } from './session-evidence.ts';
import { sessionShownBy } from './session-identity.ts';
import type { Contradiction } from './session-model.ts';

const captureRemedy = 'captures: { sessionId: /<pointer to the id in the answer to a create> }';

/** Whether a contradiction is a read that does not find an open session, or shows another one. */
export function isWrongRead({ rule, state, end }: Contradiction, { operation }: SessionEvidence): boolean {
  return end.operation === operation.id && (rule === 'identity' || (rule === 'status' && state === 'open'));
}

/** Why a 404 may be due to a wrong id; undefined where it is not. */
export function doubtAboutId(session: SessionEvidence): Evaluation | undefined {
  const read = session.called('read', 'A').at(-1);
  if (!hasStatus(read, 404)) return undefined;
  const id = sessionIdOf(read) ?? '';
  const created = session.creationOf(id)?.response?.body;
  if (created?.text.includes(id) === false && !/[^A-Za-z0-9_.-]/.test(id))
    return inconclusive(
      'the session id is a number too large to be read exactly from the response to a create',
    );
  const source = session.of('readCaptured').at(-1)?.request.values['sessionId']?.source;
  const isLikely = likelySessionId(parseBody(created)) === id;
  const isGuess = source === 'discovered' || (source === 'target-file' && isLikely);
  const isCancelled = session
    .by('ends-session')
    .some((one) => sessionIdOf(one) === id && hasStatus(one, 200));
  return isGuess && !isCancelled && !isOnlyNewValue(session, id)
    ? inconclusive(
        'answered 404 for an id that the harness guessed from the response to a create',
        captureRemedy,
      )
    : undefined;
}

/** Whether nothing else in the response to a create can be the id: it alone is new in each, sent by nobody and no time. */
function isOnlyNewValue(session: SessionEvidence, id: string): boolean {
  const own = session.creationOf(id);
  const other = session
    .by('creates-session')
    .find((one) => hasStatus(one, 200) && session.idCreatedBy(one) !== id);
  const [fields, others] = [own, other].map(bodyFields);
  if (own === undefined || fields === undefined || others === undefined) return false;
  const { request, response } = own;
  const headers = (response?.headers ?? []).filter(([name]) => /location|session|checkout/.test(name));
  const values = [
    // A number may be an id as well as a time.
    ...[...fields].flatMap(([pointer, value]) => {
      const isTime = typeof value === 'string' && isMoment(value);
      return value === others.get(pointer) || isTime ? [] : [String(value)];
    }),
    ...headers.map(([, value]) => value),
  ].filter((value) => request.body?.text.includes(value) !== true);
  const isLinkToIt = (value: string): boolean => value.includes('/') && value.includes(id);
  return values.includes(id) && values.every((value) => value === id || isLinkToIt(value));
}

/** The evaluation where no read contradicts the model of sessions. */
export function evaluateReads(session: SessionEvidence): Evaluation {
  const reads = session.by('reads-session').filter((one) => one.step === 'call' && hasStatus(one, 200));
  const [first] = reads;
  if (first === undefined) return inconclusive('no session was created that could be read');
  const wrong = (actual: string, exchange: Exchange): Evaluation =>
    violated({
      statement: 'A read returned something other than the requested session',
      expected: 'the session with the requested id',
      actual,
      exchange,
      steps: session.stepsTo(exchange),
    });
  const empty = reads.find((read) => fieldsOf(read)?.size === 0);
  if (empty !== undefined) return wrong('200 with nothing in it', empty);
  if (hasStatus(session.last('readByShownId'), 404))
    return wrong('200 with an id under which nothing is found', first);
  const unclear = reads.find((read) => sessionShownBy(session, read) !== 'own');
  if (unclear === undefined) return pass(`${reads.length} reads returned the right session`);
  if (fieldsOf(unclear) === undefined) return inconclusive('the 200 is not JSON, which SUCCESS-2 evaluates');
  return new Set(reads.map(sessionIdOf)).size > 1
    ? notTested('the reads show nothing that tells two sessions apart', captureRemedy)
    : inconclusive(
        'the read does not show the session id, and no second session could be compared',
        session.remedy,
      );
}
