import type { ActiveCheck } from '../../harness/checks/check.ts';
import { notTested } from '../../harness/checks/not-tested.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, parseBody, statusOf } from '../../harness/evidence/answer.ts';
import { type Leaves, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { likelySessionId } from '../../harness/requests/session-id.ts';
import { created, readOperation as operation, read, session } from './example-session.ts';
import {
  creationOf,
  idPointers,
  lastOf,
  looksLikeId,
  readSession,
  sessionOf,
  shownBy,
  shownByCreate,
  uniqueRemedy,
} from './session-evidence.ts';
import { withSessions } from './sessions.ts';

const first = 'reads the session just created';
const second = 'reads a second session just created';
const again = 'reads the first session once there is a second';
const together = 'reads the first session at the same time as the second';
const togetherToo = 'reads the second session at the same time as the first';
const byShownId = 'reads by the id that the read shows';

const captureRemedy = 'captures: { sessionId: /<pointer to the id in the answer to a create> }';

/** An id shorter than this may stand in an answer by chance. */
const relevantLength = 8;

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'SESSION-1',
  title: 'a session that was just created can be read, and it is that session',
  applies: ({ id }) => id === readSession,
  needs: () => ['scoped-key', 'valid-call'],
  requests: () => 14,
  probe: (client) =>
    withSessions(client, async (sessions) => {
      const one = await sessions.open();
      const found = await sessions.read(one, { role: 'probe', label: first });
      if (statusOf(found) !== 200) {
        // Says whether the id was given or only guessed.
        await client.call({ role: 'witness', label: 'reads it as every check does', persistent: true });
        return;
      }
      const shown = otherIdIn(client.exchanges, found);
      if (shown !== undefined) {
        await client.call({ role: 'witness', label: byShownId, parameters: { sessionId: shown } });
      }
      const other = await sessions.tryToOpen();
      if (other === undefined || other === one) return;
      await sessions.read(other, { role: 'probe', label: second });
      await sessions.read(one, { role: 'probe', label: again });
      await Promise.all([
        sessions.read(one, { role: 'probe', label: together }, () => true),
        sessions.read(other, { role: 'probe', label: togetherToo }, () => true),
      ]);
    }),
  evaluate: ({ exchanges }) => {
    const one = lastOf(exchanges, first);
    if (one === undefined) return inconclusive('no session was created that could be read');
    const doubt = statusOf(one) === 404 ? doubtOf(exchanges, one) : undefined;
    if (doubt !== undefined) return doubt;
    const two = lastOf(exchanges, second);
    const missing = [one, ...(two === undefined ? [] : [two])].filter(
      (exchange) => statusOf(exchange) !== 200,
    );
    return violatedOr(missing.map(notFound), () => judgeIdentity(exchanges, one, two));
  },
  examples: [
    {
      name: 'read, and it is that one',
      given: {
        operation,
        exchanges: [
          created('cs_a1b2c3d4'),
          read('cs_a1b2c3d4', first),
          created('cs_e5f6g7h8'),
          read('cs_e5f6g7h8', second),
          read('cs_a1b2c3d4', again),
        ],
      },
      says: 'pass',
    },
    {
      name: 'found at the second try',
      given: {
        operation,
        exchanges: [
          created('cs_a1b2c3d4'),
          read('cs_a1b2c3d4', first, { status: 404 }),
          read('cs_a1b2c3d4', first),
        ],
      },
      says: 'pass',
    },
    {
      name: 'the id under another name and in a link',
      given: {
        operation,
        exchanges: [
          created('cs_a1b2c3d4'),
          read('cs_a1b2c3d4', first, { body: '{"self":"/checkout/sessions/cs_a1b2c3d4"}' }),
        ],
      },
      says: 'pass',
    },
    {
      name: 'not stored',
      given: {
        operation,
        exchanges: [created('cs_a1b2c3d4'), read('cs_a1b2c3d4', first, { status: 404 })],
      },
      says: 'violated',
    },
    {
      name: 'not found by an id that was only guessed',
      given: {
        operation,
        exchanges: [
          created('cs_a1b2c3d4'),
          read('cs_a1b2c3d4', first, { status: 404 }),
          read('cs_i9j8k7l6', 'reads it as every check does', {
            status: 404,
            values: { sessionId: { value: 'cs_i9j8k7l6', source: 'discovered' } },
          }),
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'an id that is a number beyond double precision',
      given: {
        operation,
        exchanges: [
          created('1234567890123456800', { body: '{"sessionId":1234567890123456789}' }),
          read('1234567890123456800', first, { status: 404 }),
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'the last session that was created, whatever is asked for',
      given: {
        operation,
        exchanges: [
          created('cs_a1b2c3d4'),
          read('cs_a1b2c3d4', first),
          created('cs_e5f6g7h8'),
          read('cs_e5f6g7h8', second),
          read('cs_a1b2c3d4', again, { body: session('cs_e5f6g7h8') }),
        ],
      },
      says: 'violated',
    },
    {
      name: 'each other’s session, when they are read at once',
      given: {
        operation,
        exchanges: [
          created('cs_a1b2c3d4'),
          read('cs_a1b2c3d4', first),
          created('cs_e5f6g7h8'),
          read('cs_e5f6g7h8', second),
          read('cs_a1b2c3d4', again),
          read('cs_a1b2c3d4', together, { body: session('cs_e5f6g7h8') }),
          read('cs_e5f6g7h8', togetherToo, { body: session('cs_a1b2c3d4') }),
        ],
      },
      says: 'violated',
    },
    {
      name: 'a third session, whatever is asked for',
      given: {
        operation,
        exchanges: [
          created('cs_a1b2c3d4'),
          read('cs_a1b2c3d4', first, { body: session('cs_w3x4y5z6') }),
          created('cs_e5f6g7h8'),
          read('cs_e5f6g7h8', second, { body: session('cs_w3x4y5z6') }),
        ],
      },
      says: 'violated',
    },
    {
      name: 'nothing of any session',
      given: {
        operation,
        exchanges: [created('cs_a1b2c3d4'), read('cs_a1b2c3d4', first, { body: '{}' })],
      },
      says: 'violated',
    },
    {
      name: 'an id under which nothing is found',
      given: {
        operation,
        exchanges: [
          created('cs_a1b2c3d4'),
          read('cs_a1b2c3d4', first, { body: session('cs_a1b2q7r8') }),
          read('cs_a1b2q7r8', byShownId, { status: 404 }),
        ],
      },
      says: 'violated',
    },
    {
      name: 'a token that is shown in full only once',
      given: {
        operation,
        exchanges: [
          created('cs_a1b2c3d4'),
          read('cs_a1b2c3d4', first, { body: session('***********') }),
          created('cs_e5f6g7h8'),
          read('cs_e5f6g7h8', second, { body: session('***********') }),
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'told apart by something else than the id',
      given: {
        operation,
        exchanges: [
          created('cs_a1b2c3d4', { body: '{"sessionId":"cs_a1b2c3d4","number":"N-1"}' }),
          read('cs_a1b2c3d4', first, { body: '{"number":"N-1"}' }),
          created('cs_e5f6g7h8', { body: '{"sessionId":"cs_e5f6g7h8","number":"N-2"}' }),
          read('cs_e5f6g7h8', second, { body: '{"number":"N-2"}' }),
        ],
      },
      says: 'pass',
    },
    {
      name: 'reads that show nothing of which session they are',
      given: {
        operation,
        exchanges: [
          created('cs_a1b2c3d4'),
          read('cs_a1b2c3d4', first, { body: '{"state":"open"}' }),
          created('cs_e5f6g7h8'),
          read('cs_e5f6g7h8', second, { body: '{"state":"open"}' }),
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'no second session, and no id in the read',
      given: {
        operation,
        exchanges: [created('cs_a1b2c3d4'), read('cs_a1b2c3d4', first, { body: '{"state":"open"}' })],
      },
      says: 'inconclusive',
    },
    {
      name: 'a 200 that is not JSON, which another check judges',
      given: {
        operation,
        exchanges: [created('cs_a1b2c3d4'), read('cs_a1b2c3d4', first, { body: '<p>' })],
      },
      says: 'inconclusive',
    },
    {
      name: 'no session',
      given: { operation, exchanges: [created('cs_a1b2c3d4', { status: 409 })] },
      says: 'inconclusive',
    },
  ],
};

export default check;

function notFound(exchange: Exchange): Violation {
  return {
    statement: 'a session that was just created can be read',
    expected: '200',
    actual: describeAnswer(exchange),
    exchange,
  };
}

/** Why a 404 may be the harness's own fault. */
function doubtOf(exchanges: readonly Exchange[], exchange: Exchange): Evaluation | undefined {
  const id = sessionOf(exchange) ?? '';
  const creation = creationOf(exchanges, id);
  if (creation?.response?.body.text.includes(id) === false && !/[^A-Za-z0-9_.-]/.test(id)) {
    return inconclusive(
      'the id of the session is a number that is too large to be taken from the answer to a create exactly',
    );
  }
  const source = exchanges.findLast(({ role, operation }) => role === 'witness' && operation === readSession)
    ?.request.values['sessionId']?.source;
  const mayBeGuessed = likelySessionId(parseBody(creation?.response?.body)) === id;
  if (source === 'discovered' || (source === 'target-file' && mayBeGuessed)) {
    return inconclusive(
      'answered 404 for an id that was only found in the answer to a create',
      captureRemedy,
    );
  }
  return undefined;
}

function violated(statement: string, actual: string, exchange: Exchange): Evaluation {
  return {
    outcome: 'violated',
    violations: [{ statement, expected: 'the session with the id that was asked for', actual, exchange }],
  };
}

/** What a read shows in place of the id, where that looks like another id. */
function otherIdIn(exchanges: readonly Exchange[], exchange: Exchange): string | undefined {
  const id = sessionOf(exchange) ?? '';
  const shown = shownBy(exchange);
  const creation = shownByCreate(creationOf(exchanges, id));
  if (shown === undefined || creation === undefined || mentions(shown, id)) return undefined;
  const place = idPointers(creation, id).find((pointer) => looksLikeId(shown.get(pointer), id));
  return place === undefined ? undefined : String(shown.get(place));
}

function judgeIdentity(exchanges: readonly Exchange[], one: Exchange, two: Exchange | undefined): Evaluation {
  const nothing = [one, ...(two === undefined ? [] : [two])].find(
    (exchange) => shownBy(exchange)?.size === 0,
  );
  if (nothing !== undefined)
    return violated('what is read is the session that was asked for', '200 with nothing in it', nothing);
  const byOther = lastOf(exchanges, byShownId);
  if (byOther !== undefined && statusOf(byOther) === 404)
    return violated(
      'what is read has the id that was asked for',
      '200 with an id under which nothing is found',
      one,
    );
  if (two === undefined) {
    const shown = shownBy(one);
    if (shown === undefined) return inconclusive('the 200 is not JSON, which SUCCESS-2 judges');
    return mentions(shown, sessionOf(one) ?? '')
      ? pass('read with 200, with the id that it was created with')
      : inconclusive(
          'the read does not show the id of the session, and there was no second session to compare it with',
          uniqueRemedy,
        );
  }
  const comparisons = [
    { exchange: one, other: two },
    { exchange: two, other: one },
    // By now another create or a time-out may have ended them: only what is read counts.
    ...[
      { exchange: lastOf(exchanges, again), other: two },
      { exchange: lastOf(exchanges, together), other: two },
      { exchange: lastOf(exchanges, togetherToo), other: one },
    ].flatMap(({ exchange, other }) =>
      exchange === undefined || statusOf(exchange) !== 200 ? [] : [{ exchange, other }],
    ),
  ].map(({ exchange, other }) => ({ exchange, seen: compare(exchanges, exchange, other) }));
  const violations = comparisons.flatMap(({ exchange, seen }) =>
    seen === 'other' || seen === 'same for both'
      ? [
          {
            statement: 'what is read is the session that was asked for',
            expected: 'the session with the id that was asked for',
            actual: seen === 'other' ? '200 with another session' : '200 with one session for two ids',
            exchange,
          },
        ]
      : [],
  );
  return violatedOr(violations, () => {
    const unclear = comparisons.find(({ seen }) => seen === undefined);
    if (unclear === undefined)
      return pass(`each was itself in ${comparisons.length} reads of two sessions, with 200`);
    return shownBy(unclear.exchange) === undefined
      ? inconclusive('the 200 is not JSON, which SUCCESS-2 judges')
      : notTested('the reads show nothing that tells two sessions apart', captureRemedy);
  });
}

/** Which session an answer shows; undefined where that cannot be told. */
function compare(
  exchanges: readonly Exchange[],
  exchange: Exchange,
  other: Exchange,
): 'own' | 'other' | 'same for both' | undefined {
  const shown = shownBy(exchange);
  const id = sessionOf(exchange);
  const otherId = sessionOf(other);
  if (shown === undefined || id === undefined || otherId === undefined) return undefined;
  if (mentions(shown, id)) return 'own';
  const own = shownByCreate(creationOf(exchanges, id));
  const others = shownByCreate(creationOf(exchanges, otherId));
  if (own === undefined || others === undefined) return undefined;
  const places = idPointers(own, id);
  const holdsOther = places.some((pointer) => String(shown.get(pointer)) === otherId);
  if (holdsOther || (otherId.length >= relevantLength && mentions(shown, otherId))) return 'other';
  const shownOther = shownBy(other);
  if (tellsApart(shown, own, others)) return 'own';
  const sameIds = places.filter(
    (pointer) => shownOther?.get(pointer) === shown.get(pointer) && looksLikeId(shown.get(pointer), id),
  );
  return sameIds.length > 0 ? 'same for both' : undefined;
}

/** Whether the answer has something of its own create that the other create had otherwise, and nothing the other way. */
function tellsApart(shown: Leaves, own: Leaves, others: Leaves): boolean {
  const told = [...own].filter(([pointer, leaf]) => {
    const other = others.get(pointer);
    return other !== undefined && other !== leaf && shown.has(pointer);
  });
  const isCustom = told.some(([pointer, leaf]) => shown.get(pointer) === leaf);
  return isCustom && !told.some(([pointer]) => shown.get(pointer) === others.get(pointer));
}
