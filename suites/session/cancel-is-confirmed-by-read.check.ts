import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { isMoment, type Leaf, type Leaves, readsSame } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { cancelled, created, cancelOperation as operation, read, session } from './example-session.ts';
import {
  cancelSession,
  creationOf,
  isOfAnother,
  lastOf,
  relevantExchanges,
  sessionOf,
  shownBy,
  shownByCreate,
} from './session-evidence.ts';
import { plainReads, withSessions } from './sessions.ts';
import { isLink, isWord } from './state-words.ts';

const before = 'reads the open session';
const beforeAgain = 'reads the open session again';
const cancels = 'cancels the session';
const after = 'reads the cancelled session';
const afterAgain = 'reads the cancelled session again';

/** Fields that a message names at the most. */
const namedFields = 3;

const start = [created('cs_1'), read('cs_1', before), read('cs_1', beforeAgain)];

// Fields that both answers have are compared. Left aside are those that differ between two plain reads or between create
// and read, links, for these may name the operation, and times. Numbers count only where they read as before the cancel,
// and texts are not told apart by their case. A state that may have moved on, such as from cancelling to cancelled, is
// no contradiction.
const check: ActiveCheck = {
  kind: 'active',
  requirement: 'SESSION-3',
  title: 'what a cancel reports as changed is not shown unchanged by later reads',
  applies: ({ id }) => id === cancelSession,
  needs: () => ['scoped-key', 'valid-call'],
  requests: () => 16,
  probe: (client) =>
    withSessions(client, async (sessions) => {
      const id = await sessions.open();
      const found = await sessions.read(id, { role: 'witness', label: before });
      if (statusOf(found) !== 200) return;
      await sessions.read(id, { role: 'witness', label: beforeAgain });
      const cancel = await sessions.cancel(id, { role: 'control', label: cancels });
      if (statusOf(cancel) !== 200) return;
      const kept = await sessions.read(
        id,
        { role: 'probe', label: after },
        (exchange) => statusOf(exchange) !== 200 || contradictions(client.exchanges).length === 0,
      );
      if (statusOf(kept) !== 200) return;
      const reads = contradictions(client.exchanges).length > 0 ? plainReads : 1;
      for (let at = 1; at <= reads; at += 1) {
        await sessions.read(id, { role: 'probe', label: afterAgain }, () => true);
      }
    }),
  evaluate: (evidence) => {
    const exchanges = relevantExchanges(evidence.exchanges);
    const [cancel, kept] = [lastOf(exchanges, cancels), lastOf(exchanges, after)];
    if (cancel === undefined)
      return lastOf(exchanges, before) === undefined
        ? inconclusive('no session was created')
        : inconclusive('the session cannot be read, which SESSION-1 judges');
    if (statusOf(cancel) !== 200)
      return inconclusive(`the cancel was answered ${describeAnswer(cancel)}, which SESSION-2 evaluates`);
    if (kept === undefined) return inconclusive('the session was not read after it was cancelled');
    if (statusOf(kept) === 404) return pass('the cancelled session is gone, answered 404');
    if (statusOf(kept) !== 200)
      return inconclusive(
        `the cancelled session was answered ${describeAnswer(kept)}, which SESSION-2 evaluates`,
      );
    const strange = [before, beforeAgain, after, afterAgain].some((label) =>
      isOfAnother(exchanges, lastOf(exchanges, label)),
    );
    if (strange)
      return inconclusive('the reads do not show the id of the session, so they may be of another one');
    if ([cancel, kept].some((exchange) => shownBy(exchange) === undefined))
      return inconclusive('the session was not answered with JSON each time');
    const lost = contradictions(exchanges);
    const fields = lost
      .map((pointer) => pointer.replaceAll(sessionOf(cancel) ?? '', '{sessionId}'))
      .sort()
      .slice(0, namedFields)
      .join(', ');
    if (lost.length > 0) {
      return violatedOr(
        [
          {
            statement: 'what a cancel reports of the session is what later reads show',
            expected: `the same at ${fields} in the answer to the cancel and in a later read`,
            actual: `200, and a later read that differs at ${fields}`,
            exchange: cancel,
          },
        ],
        () => pass(''),
      );
    }
    return reportsChange(exchanges)
      ? pass('the read shows what the cancel reported')
      : inconclusive(
          'the cancel reported no change of a field that reads show too, so there is nothing to confirm',
        );
  },
  examples: [
    {
      name: 'confirmed',
      given: {
        operation,
        exchanges: [
          ...start,
          cancelled('cs_1', cancels),
          read('cs_1', after, { body: session('cs_1', 'cancelled') }),
          read('cs_1', afterAgain, { body: session('cs_1', 'cancelled') }),
        ],
      },
      says: 'pass',
    },
    {
      name: 'confirmed a little later',
      given: {
        operation,
        exchanges: [
          ...start,
          cancelled('cs_1', cancels),
          read('cs_1', after),
          read('cs_1', after, { body: session('cs_1', 'cancelled') }),
          read('cs_1', afterAgain, { body: session('cs_1', 'cancelled') }),
        ],
      },
      says: 'pass',
    },
    {
      name: 'moved on to a further state',
      given: {
        operation,
        exchanges: [
          ...start,
          cancelled('cs_1', cancels, { body: session('cs_1', 'cancelling') }),
          read('cs_1', after, { body: session('cs_1', 'CANCELLED') }),
          read('cs_1', afterAgain, { body: session('cs_1', 'CANCELLED') }),
        ],
      },
      says: 'pass',
    },
    {
      name: 'forgotten with its session',
      given: {
        operation,
        exchanges: [...start, cancelled('cs_1', cancels), read('cs_1', after, { status: 404 })],
      },
      says: 'pass',
    },
    {
      name: 'the cancel is forgotten',
      given: {
        operation,
        exchanges: [
          ...start,
          cancelled('cs_1', cancels),
          read('cs_1', after),
          read('cs_1', after),
          read('cs_1', after),
          read('cs_1', afterAgain),
        ],
      },
      says: 'violated',
    },
    {
      name: 'the cancel reports the session as it was',
      given: {
        operation,
        exchanges: [
          ...start,
          cancelled('cs_1', cancels, { body: session('cs_1') }),
          read('cs_1', after, { body: session('cs_1', 'cancelled') }),
          read('cs_1', afterAgain, { body: session('cs_1', 'cancelled') }),
        ],
      },
      says: 'violated',
    },
    {
      name: 'a link that names the operation, and nothing else',
      given: {
        operation,
        exchanges: [
          created('cs_1', { body: session('cs_1', 'open', { self: '/sessions' }) }),
          ...[before, beforeAgain].map((label) =>
            read('cs_1', label, { body: session('cs_1', 'open', { self: '/sessions/cs_1' }) }),
          ),
          cancelled('cs_1', cancels, {
            body: session('cs_1', 'open', { self: '/sessions/cs_1/cancel', at: '2026-01-01T00:00:00Z' }),
          }),
          ...[after, afterAgain].map((label) =>
            read('cs_1', label, { body: session('cs_1', 'open', { self: '/sessions/cs_1' }) }),
          ),
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'reads of another session',
      given: {
        operation,
        exchanges: [
          created('cs_1'),
          ...[before, beforeAgain].map((label) => read('cs_1', label, { body: session('cs_9') })),
          cancelled('cs_1', cancels),
          ...[after, afterAgain].map((label) => read('cs_1', label, { body: session('cs_9') })),
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'refused',
      given: { operation, exchanges: [...start, cancelled('cs_1', cancels, { status: 409 })] },
      says: 'inconclusive',
    },
    {
      name: 'not read with 200 or 404 afterwards',
      given: {
        operation,
        exchanges: [...start, cancelled('cs_1', cancels), read('cs_1', after, { status: 500 })],
      },
      says: 'inconclusive',
    },
    {
      name: 'not JSON',
      given: {
        operation,
        exchanges: [
          ...start,
          cancelled('cs_1', cancels, { body: 'cancelled' }),
          read('cs_1', after),
          read('cs_1', afterAgain),
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'cannot be read before it is cancelled',
      given: { operation, exchanges: [created('cs_1'), read('cs_1', before, { status: 404 })] },
      says: 'inconclusive',
    },
    { name: 'no session', given: { operation, exchanges: [] }, says: 'inconclusive' },
  ],
};

export default check;

/** What the answers around a cancel show, as far as they are JSON. */
interface Shown {
  readonly creation: Leaves | undefined;
  readonly before: Leaves;
  readonly said: Leaves;
}

function shownAround(exchanges: readonly Exchange[]): Shown | undefined {
  const cancel = lastOf(exchanges, cancels);
  const one = shownBy(lastOf(exchanges, before));
  const two = shownBy(lastOf(exchanges, beforeAgain));
  const said = shownBy(cancel);
  if (cancel === undefined || one === undefined || two === undefined || said === undefined) return undefined;
  const creation = shownByCreate(creationOf(exchanges, sessionOf(cancel) ?? ''));
  const volatilePointers = new Set(
    [...one.keys()].filter((pointer) => two.get(pointer) !== one.get(pointer)),
  );
  const settled = (leaves: Leaves): Leaves =>
    new Map([...leaves].filter(([pointer]) => !volatilePointers.has(pointer)));
  return { creation, before: settled(one), said: settled(said) };
}

/** Whether the cancel reports anything otherwise than the reads before it. */
function reportsChange(exchanges: readonly Exchange[]): boolean {
  const shown = shownAround(exchanges);
  if (shown === undefined) return false;
  return [...shown.said].some(([pointer, said]) => {
    const old = shown.before.get(pointer);
    return old !== undefined && !differsByOperation(shown, pointer) && !isLink(said) && !readsSame(said, old);
  });
}

/** Pointers at which a read after the cancel contradicts it. */
function contradictions(exchanges: readonly Exchange[]): readonly string[] {
  const shown = shownAround(exchanges);
  const later = shownBy(lastOf(exchanges, after));
  if (shown === undefined || later === undefined) return [];
  const again = exchanges.filter(({ label }) => label === afterAgain).map(shownBy);
  return [...shown.said.keys()].filter((pointer) => {
    const said = shown.said.get(pointer);
    const now = later.get(pointer);
    const old = shown.before.get(pointer);
    if (said === undefined || now === undefined) return false;
    if (again.some((leaves) => leaves?.get(pointer) !== now)) return false;
    if (readsSame(said, now) || isLink(said) || isLink(now) || differsByOperation(shown, pointer))
      return false;
    if (isMoment(said) && isMoment(now)) return false;
    if (old !== undefined && readsSame(now, old)) return true;
    return isWord(said) && isWord(now) && !mayHaveMovedOn(said, now);
  });
}

function differsByOperation({ creation, before }: Shown, pointer: string): boolean {
  const atCreate = creation?.get(pointer);
  const old = before.get(pointer);
  return atCreate !== undefined && old !== undefined && !readsSame(atCreate, old);
}

/** Whether one text may be what became of the other: the first says that something is under way, or they are akin. */
function mayHaveMovedOn(said: Leaf, now: Leaf): boolean {
  if (typeof said !== 'string' || typeof now !== 'string') return false;
  const [one, two] = [said.toLowerCase(), now.toLowerCase()];
  if (/ing\b|pend|progress|request|process|queue|accept|wait|schedul|initiat/.test(one)) return true;
  return one.includes(two) || two.includes(one) || one.slice(0, 4) === two.slice(0, 4);
}
