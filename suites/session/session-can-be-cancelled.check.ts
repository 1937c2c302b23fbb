import type { ActiveCheck } from '../../harness/checks/check.ts';
import { notTested } from '../../harness/checks/not-tested.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { cancelled, cancelOperation, created, read, readOperation, session } from './example-session.ts';
import {
  cancelSession,
  creationOf,
  lastOf,
  readSession,
  relevantExchanges,
  sessionOf,
  shownBy,
  shownByCreate,
  uniqueRemedy,
  wasThrottled,
} from './session-evidence.ts';
import { withSessions } from './sessions.ts';
import { stateChanged } from './state-words.ts';
import { untouchedSessionLabels, untouchedSessionOf } from './untouched-session.ts';

const fresh = 'reads the fresh session';
const firstCancel = 'cancels the fresh session';
const refused = 'reads the session that could not be cancelled';
const secondCancel = 'cancels the session again';
const after = 'reads the cancelled session';

const operation = cancelOperation;
const start = [created('cs_1'), read('cs_1', fresh)];
const untouchedSession = [
  created('cs_2', { body: session('cs_2') }),
  read('cs_2', untouchedSessionLabels.first),
  read('cs_2', untouchedSessionLabels.second),
  created('cs_3', { body: session('cs_3') }),
  read('cs_2', untouchedSessionLabels.third),
];

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'SESSION-2',
  title: 'a fresh session can be cancelled, and is then cancelled again or read with a settled answer',
  applies: ({ id }) => id === cancelSession || id === readSession,
  needs: () => ['scoped-key', 'valid-call'],
  requests: ({ id }) => (id === cancelSession ? 21 : 6),
  probe: (client, { id: evaluated }) =>
    withSessions(client, async (sessions) => {
      const id = await sessions.open();
      const found = await sessions.read(id, { role: 'witness', label: fresh });
      const cancel = await sessions.cancel(id, { role: 'control', label: firstCancel });
      if (statusOf(cancel) === 200) {
        if (evaluated === cancelSession) await sessions.cancel(id, { role: 'probe', label: secondCancel });
        await sessions.read(id, { role: 'probe', label: after }, () => true);
      } else if (evaluated === cancelSession && mayHaveOtherCauses(cancel) && statusOf(found) === 200) {
        await sessions.read(id, { role: 'witness', label: refused });
        await sessions.watchUntouchedSession('created and cancelled');
      }
    }),
  evaluate: (evidence) => {
    const exchanges = relevantExchanges(evidence.exchanges);
    const cancel = lastOf(exchanges, firstCancel);
    if (cancel === undefined) return inconclusive('no session was created that could be cancelled');
    if (evidence.operation.id === readSession) return evaluateRead(exchanges, cancel);
    const cancels = judgeCancels(exchanges, cancel);
    if (cancels.outcome !== 'pass') return cancels;
    // Whatever keeps sessions from being read is no fault of the cancel: only what a cancel brought about is.
    const read = evaluateRead(exchanges, cancel);
    return read.outcome === 'violated' ? read : cancels;
  },
  examples: [
    {
      name: 'cancelled once, then refused with 409',
      given: {
        operation,
        exchanges: [
          ...start,
          cancelled('cs_1', firstCancel),
          cancelled('cs_1', secondCancel, { status: 409 }),
        ],
      },
      says: 'pass',
    },
    {
      name: 'may be repeated',
      given: {
        operation,
        exchanges: [...start, cancelled('cs_1', firstCancel), cancelled('cs_1', secondCancel)],
      },
      says: 'pass',
    },
    {
      name: 'a second cancel with an undeclared status',
      given: {
        operation,
        exchanges: [
          ...start,
          cancelled('cs_1', firstCancel),
          cancelled('cs_1', secondCancel, { status: 500 }),
        ],
      },
      says: 'violated',
    },
    {
      name: 'a fresh session is refused with 409 and stays open',
      given: {
        operation,
        exchanges: [
          ...start,
          cancelled('cs_1', firstCancel, { status: 409 }),
          read('cs_1', refused),
          ...untouchedSession,
        ],
      },
      says: 'violated',
    },
    {
      name: 'cancelled, but answered 409',
      given: {
        operation,
        exchanges: [
          ...start,
          cancelled('cs_1', firstCancel, { status: 409 }),
          read('cs_1', refused, { body: session('cs_1', 'cancelled') }),
          ...untouchedSession,
        ],
      },
      says: 'violated',
    },
    {
      name: 'a fresh session is answered 400',
      given: { operation, exchanges: [...start, cancelled('cs_1', firstCancel, { status: 400 })] },
      says: 'violated',
    },
    {
      name: 'equal creates give the session that was cancelled before',
      given: {
        operation,
        exchanges: [
          ...start,
          cancelled('cs_1', firstCancel, { status: 409 }),
          read('cs_1', refused),
          created('cs_1'),
          read('cs_1', untouchedSessionLabels.first),
          read('cs_1', untouchedSessionLabels.second),
          created('cs_1'),
          read('cs_1', untouchedSessionLabels.third),
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'one session is open at a time, and another one was opened meanwhile',
      given: {
        operation,
        exchanges: [
          ...start,
          cancelled('cs_1', firstCancel, { status: 409 }),
          read('cs_1', refused, { body: session('cs_1', 'replaced') }),
          ...untouchedSession.slice(0, 4),
          read('cs_2', untouchedSessionLabels.third, { body: session('cs_2', 'replaced') }),
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'not found, but it cannot be read either',
      given: {
        operation,
        exchanges: [
          created('cs_1'),
          read('cs_1', fresh, { status: 404 }),
          cancelled('cs_1', firstCancel, { status: 404 }),
          read('cs_1', refused, { status: 404 }),
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'a first try was throttled, and may have cancelled it',
      given: {
        operation,
        exchanges: [
          ...start,
          cancelled('cs_1', firstCancel, { status: 429 }),
          cancelled('cs_1', firstCancel, { status: 409 }),
          read('cs_1', refused),
          ...untouchedSession,
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'cancelled twice, and then answered 410 when it is read',
      given: {
        operation,
        exchanges: [
          ...start,
          cancelled('cs_1', firstCancel),
          cancelled('cs_1', secondCancel, { status: 409 }),
          read('cs_1', after, { status: 410 }),
        ],
      },
      says: 'violated',
    },
    {
      name: 'no session',
      given: { operation, exchanges: [created('cs_1', { status: 409 })] },
      says: 'inconclusive',
    },
    {
      name: 'the cancelled session is read',
      given: {
        operation: readOperation,
        exchanges: [
          ...start,
          cancelled('cs_1', firstCancel),
          read('cs_1', after, { body: session('cs_1', 'cancelled') }),
        ],
      },
      says: 'pass',
    },
    {
      name: 'the cancelled session is forgotten',
      given: {
        operation: readOperation,
        exchanges: [...start, cancelled('cs_1', firstCancel), read('cs_1', after, { status: 404 })],
      },
      says: 'pass',
    },
    {
      name: 'the cancelled session is answered 409 when it is read',
      given: {
        operation: readOperation,
        exchanges: [...start, cancelled('cs_1', firstCancel), read('cs_1', after, { status: 409 })],
      },
      says: 'violated',
    },
    {
      name: 'no session can be cancelled, so that none can be read',
      given: {
        operation: readOperation,
        exchanges: [...start, cancelled('cs_1', firstCancel, { status: 500 })],
      },
      says: 'inconclusive',
    },
    {
      name: 'no session can be read, cancelled or not',
      given: {
        operation: readOperation,
        exchanges: [
          created('cs_1'),
          read('cs_1', fresh, { status: 500 }),
          cancelled('cs_1', firstCancel),
          read('cs_1', after, { status: 500 }),
        ],
      },
      says: 'inconclusive',
    },
  ],
};

export default check;

/** 404 and 409 are also what a session answers that something else has ended. */
function mayHaveOtherCauses(cancel: Exchange): boolean {
  return statusOf(cancel) === 404 || statusOf(cancel) === 409;
}

function judgeCancels(exchanges: readonly Exchange[], cancel: Exchange): Evaluation {
  if (statusOf(cancel) === 200) {
    const repeated = lastOf(exchanges, secondCancel);
    if (repeated === undefined) return inconclusive('cancelled with 200, but no second cancel was made');
    const status = statusOf(repeated);
    if (status === 200 || status === 404 || status === 409)
      return pass(`cancelled with 200, the second time answered ${status}`);
    return violated('a session that is cancelled already is answered so', '200, 404 or 409', repeated);
  }
  if (mayHaveOtherCauses(cancel)) {
    const doubt = doubtOf(exchanges, cancel);
    if (doubt !== undefined) return doubt;
  }
  return violated('a fresh session can be cancelled', '200', cancel);
}

function evaluateRead(exchanges: readonly Exchange[], cancel: Exchange): Evaluation {
  const found = lastOf(exchanges, fresh);
  const readAfter = lastOf(exchanges, after);
  if (found === undefined || statusOf(found) !== 200)
    return inconclusive('the session cannot be read before it is cancelled either, which SESSION-1 judges');
  if (readAfter === undefined || statusOf(cancel) !== 200)
    return inconclusive(
      `the cancel was answered ${describeAnswer(cancel)}, so there is no cancelled session`,
    );
  const status = statusOf(readAfter);
  if (status === 200 || status === 404) return pass(`a cancelled session is read with ${status}`);
  return violated('a cancelled session can be read, or is not found', '200 or 404', readAfter);
}

function violated(statement: string, expected: string, exchange: Exchange): Evaluation {
  return violatedOr([{ statement, expected, actual: describeAnswer(exchange), exchange }], () => pass(''));
}

/** Why a fresh session that is not found, or in conflict, may be one that was cancelled by somebody else. */
function doubtOf(exchanges: readonly Exchange[], cancel: Exchange): Evaluation | undefined {
  const answered = `a fresh session was answered ${describeAnswer(cancel)}`;
  if (wasThrottled(exchanges, cancel)) {
    const reason = `${answered}, after a first try that was throttled and may have cancelled it`;
    return notTested(reason, '--rate <fewer requests per second>');
  }
  const before = lastOf(exchanges, fresh);
  const later = lastOf(exchanges, refused);
  if (before === undefined || statusOf(before) !== 200)
    return inconclusive(`${answered}, but it cannot be read either, which SESSION-1 evaluates`);
  if (later === undefined || statusOf(later) !== 200)
    return notTested(
      `${answered}, and then it could not be read any more, so something else may have ended it`,
    );
  const witness = untouchedSessionOf(exchanges);
  if (witness === undefined)
    return inconclusive(`${answered}, and no other session could be created to compare it with`);
  if (witness.disturbed === undefined || (!witness.shared && isUntouched(exchanges, before, later)))
    return undefined;
  const reason = `${answered}, but ${witness.disturbed}, so something else may have ended it`;
  return notTested(reason, uniqueRemedy);
}

/** Whether the session still shows what it was created with, though sessions of this target do change. */
function isUntouched(exchanges: readonly Exchange[], before: Exchange, later: Exchange): boolean {
  const creation = shownByCreate(creationOf(exchanges, sessionOf(before) ?? ''));
  const [one, two] = [shownBy(before), shownBy(later)];
  if (creation === undefined || one === undefined || two === undefined) return false;
  return !stateChanged(creation, one) && !stateChanged(one, two);
}
