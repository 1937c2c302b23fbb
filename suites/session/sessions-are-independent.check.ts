import type { ActiveCheck } from '../../harness/checks/check.ts';
import { notTested } from '../../harness/checks/not-tested.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { changedLeaves, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { cancelMark, matchesCancelDiff } from './cancel-mark.ts';
import { cancelled, created, createOperation as operation, read, session } from './example-session.ts';
import {
  createSession,
  creationOf,
  isOfAnother,
  lastOf,
  relevantExchanges,
  sessionOf,
  shownBy,
  shownByCreate,
  uniqueRemedy,
  wasThrottled,
} from './session-evidence.ts';
import { withSessions } from './sessions.ts';
import { untouchedSessionLabels, untouchedSessionOf } from './untouched-session.ts';

const firstAlone = 'reads the first session while it is the only one';
const firstBefore = 'reads the first session once there is a second';
const secondBefore = 'reads the second session';
const cancelFirst = 'cancels the first session';
const firstAfter = 'reads the first session once it is cancelled';
const secondAfter = 'reads the second session once the first is cancelled';
const cancelSecond = 'cancels the second session';

/** The creates of the two, where they ask for something else than the known body; labels do not matter to the judge. */
const createFirst = 'creates the first session, for a little more';
const createSecond = 'creates the second session, for still more';

// Two equal creates may make one session, or the later may stand for the earlier: idempotency is declared neither way.
// Only creates with different bodies must make two sessions, so the known body is varied where the target takes that.
const check: ActiveCheck = {
  kind: 'active',
  requirement: 'SESSION-5',
  title: 'two creates make two sessions, and cancelling one leaves the other',
  applies: ({ id }) => id === createSession,
  needs: () => ['scoped-key', 'valid-call'],
  requests: () => 31,
  probe: (client) =>
    withSessions(client, async (sessions) => {
      const model = await sessions.open();
      await sessions.cancel(model, {
        role: 'cleanup',
        label: 'cancels the session that only shows the body',
      });
      const one = (await sessions.openOther(model, createFirst, 1)) ?? (await sessions.open());
      const alone = await sessions.read(one, { role: 'witness', label: firstAlone });
      if (statusOf(alone) !== 200) return;
      const two = (await sessions.openOther(model, createSecond, 2)) ?? (await sessions.tryToOpen());
      if (two === undefined) return;
      await sessions.read(two, { role: 'witness', label: secondBefore });
      if (two === one) return;
      await sessions.read(one, { role: 'witness', label: firstBefore });
      const cancel = await sessions.cancel(one, { role: 'control', label: cancelFirst });
      if (statusOf(cancel) !== 200) return;
      await sessions.read(one, { role: 'witness', label: firstAfter }, () => true);
      await sessions.read(two, { role: 'probe', label: secondAfter });
      await sessions.cancel(two, { role: 'probe', label: cancelSecond });
      if (entanglements(relevantExchanges(client.exchanges), new Set()).length > 0) {
        await sessions.watchUntouchedSessionForLong('created');
      }
    }),
  evaluate: (evidence) => {
    const exchanges = relevantExchanges(evidence.exchanges);
    const one = lastOf(exchanges, firstAlone);
    const two = lastOf(exchanges, secondBefore);
    if (one === undefined) return inconclusive('no session was created');
    if (statusOf(one) !== 200) return inconclusive('the session cannot be read, which SESSION-1 judges');
    if (two === undefined) return judgeRefusal(exchanges);
    if (sessionOf(one) === sessionOf(two)) return judgeSharedId(exchanges, two);
    const cancel = lastOf(exchanges, cancelFirst);
    if (cancel === undefined) return inconclusive('no two sessions were created');
    const lost = judgeReplacement(exchanges, one, cancel);
    if (lost !== undefined) return lost;
    if (statusOf(cancel) !== 200)
      return inconclusive(`the cancel was answered ${describeAnswer(cancel)}, which SESSION-2 evaluates`);
    if ([one, two].some((exchange) => shownBy(exchange) === undefined || isOfAnother(exchanges, exchange)))
      return inconclusive('the sessions cannot be read, which SESSION-1 judges');
    const witness = untouchedSessionOf(exchanges);
    const violations = entanglements(exchanges, witness?.volatilePointers ?? new Set());
    if (violations.length > 0 && witness?.disturbed !== undefined)
      return notTested(
        `the second session changed, but ${witness.disturbed}, so something else may have done it`,
        uniqueRemedy,
      );
    if (violations.length > 0 && witness === undefined)
      return notTested('the second session changed, and no other one could be watched to see whether all do');
    return violatedOr(violations, () => {
      const left = lastOf(exchanges, cancelSecond);
      return left !== undefined && statusOf(left) === 200
        ? pass('two sessions with ids of their own, of which cancelling the first left the second')
        : inconclusive(
            `the second session was answered ${left === undefined ? 'nothing' : describeAnswer(left)} when it was cancelled`,
          );
    });
  },
  examples: [
    { name: 'independent', given: { operation, exchanges: pair() }, says: 'pass' },
    {
      name: 'cancelling the first cancels the second',
      given: {
        operation,
        exchanges: [
          ...pair({ secondAfter: session('cs_2', 'cancelled'), cancelSecond: 409 }),
          ...untouchedSession(),
        ],
      },
      says: 'violated',
    },
    {
      name: 'the second can no longer be cancelled',
      given: { operation, exchanges: [...pair({ cancelSecond: 409 }), ...untouchedSession()] },
      says: 'violated',
    },
    {
      name: 'one session for two creates that differ',
      given: {
        operation,
        exchanges: [
          created('cs_1', {}, '{"basket":1}'),
          read('cs_1', firstAlone),
          created('cs_1', {}, '{"basket":2}'),
          read('cs_1', secondBefore),
        ],
      },
      says: 'violated',
    },
    {
      name: 'one session for two equal creates',
      given: {
        operation,
        exchanges: [created('cs_1'), read('cs_1', firstAlone), created('cs_1'), read('cs_1', secondBefore)],
      },
      says: 'inconclusive',
    },
    {
      name: 'the second of two equal creates stands for the first',
      given: {
        operation,
        exchanges: [
          created('cs_1'),
          read('cs_1', firstAlone),
          created('cs_2', { body: session('cs_2') }),
          read('cs_2', secondBefore),
          read('cs_1', firstBefore, { body: session('cs_1', 'replaced') }),
          cancelled('cs_1', cancelFirst, { status: 409 }),
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'another create ends the first session',
      given: {
        operation,
        exchanges: [
          created('cs_1'),
          read('cs_1', firstAlone),
          created('cs_2', { body: session('cs_2') }, '{"basket":2}'),
          read('cs_2', secondBefore),
          read('cs_1', firstBefore, { body: session('cs_1', 'replaced') }),
          cancelled('cs_1', cancelFirst, { status: 409 }),
        ],
      },
      says: 'violated',
    },
    {
      name: 'an equal create is refused while a session is open',
      given: {
        operation,
        exchanges: [created('cs_1'), read('cs_1', firstAlone), created('cs_2', { status: 409 })],
      },
      says: 'inconclusive',
    },
    {
      name: 'any second create is refused while a session is open',
      given: {
        operation,
        exchanges: [
          created('cs_1'),
          read('cs_1', firstAlone),
          created('cs_2', { status: 409 }, '{"basket":2}'),
        ],
      },
      says: 'not-applicable',
    },
    {
      name: 'sessions change by themselves',
      given: {
        operation,
        exchanges: [...pair({ cancelSecond: 409 }), ...untouchedSession(session('cs_8', 'cancelled'))],
      },
      says: 'inconclusive',
    },
    {
      name: 'the first cannot be cancelled',
      given: { operation, exchanges: pair({ cancelFirst: 500 }) },
      says: 'inconclusive',
    },
    {
      name: 'the first cannot be read',
      given: { operation, exchanges: [created('cs_1'), read('cs_1', firstAlone, { status: 404 })] },
      says: 'inconclusive',
    },
    { name: 'no session', given: { operation, exchanges: [] }, says: 'inconclusive' },
  ],
};

export default check;

/** Whether a create went out with another body than the one that made the first session. */
function createsDiffer(exchanges: readonly Exchange[]): boolean {
  const reads = [firstAlone, secondBefore].map((label) =>
    exchanges.findIndex((exchange) => exchange.label === label),
  );
  const [first = -1, second = -1] = reads;
  const end = second < 0 ? exchanges.length : second;
  const one = exchanges.slice(0, first).findLast(isCreate)?.request.body?.text;
  const two = exchanges.slice(first, end).findLast(isCreate)?.request.body?.text;
  return one !== undefined && two !== undefined && one !== two;
}

function isCreate({ operation }: Exchange): boolean {
  return operation === createSession;
}

function judgeRefusal(exchanges: readonly Exchange[]): Evaluation {
  const refused = exchanges.findLast(isCreate);
  if (refused === undefined || statusOf(refused) !== 409)
    return notTested(
      `a second create was answered ${refused === undefined ? 'nothing' : describeAnswer(refused)}`,
    );
  const reason = 'a second create is answered 409 while the first session is open, which is lawful';
  return createsDiffer(exchanges)
    ? { outcome: 'not-applicable', reason }
    : inconclusive(reason, uniqueRemedy);
}

function judgeSharedId(exchanges: readonly Exchange[], second: Exchange): Evaluation {
  if (!createsDiffer(exchanges))
    return inconclusive('two equal creates gave one session, which is lawful', uniqueRemedy);
  return violated({
    statement: 'two creates that differ make two sessions',
    expected: 'two ids',
    actual: 'one id for both',
    exchange: exchanges.slice(0, exchanges.indexOf(second)).findLast(isCreate) ?? second,
  });
}

/** What is to be said where the first session ended when the second was created. */
function judgeReplacement(
  exchanges: readonly Exchange[],
  alone: Exchange,
  cancel: Exchange,
): Evaluation | undefined {
  const together = lastOf(exchanges, firstBefore);
  const [before, after] = [shownBy(alone), shownBy(together)];
  if (together === undefined || before === undefined) return undefined;
  const isRefused = [404, 409].includes(statusOf(cancel) ?? 0) && !wasThrottled(exchanges, cancel);
  const hasChanged = after !== undefined && changedLeaves(before, after).length > 0;
  if (!isRefused || (statusOf(together) !== 404 && !hasChanged)) return undefined;
  if (!createsDiffer(exchanges))
    return notTested('the first session ended when an equal one was created, which is lawful', uniqueRemedy);
  const second = shownByCreate(
    creationOf(exchanges, sessionOf(lastOf(exchanges, secondBefore) ?? cancel) ?? ''),
  );
  if (second !== undefined && mentions(second, sessionOf(alone) ?? ''))
    return inconclusive('the second session names the first, so that it may lawfully stand for it');
  return violated({
    statement: 'creating a session leaves the ones that were created before',
    expected: '200 to a cancel of the first session',
    actual: describeAnswer(cancel),
    exchange: cancel,
  });
}

/** How cancelling the first session showed in the second. */
function entanglements(
  exchanges: readonly Exchange[],
  volatilePointers: ReadonlySet<string>,
): readonly Violation[] {
  const [firstOpen, firstDone] = [firstBefore, firstAfter].map((label) => shownBy(lastOf(exchanges, label)));
  const open = shownBy(lastOf(exchanges, secondBefore));
  const probe = lastOf(exchanges, secondAfter);
  const left = lastOf(exchanges, cancelSecond);
  if (open === undefined || probe === undefined) return [];
  const statement = 'cancelling one session leaves the other';
  if (statusOf(probe) === 404)
    return [{ statement, expected: '200 to a read of the other session', actual: '404', exchange: probe }];
  const done = shownBy(probe);
  const mark = firstOpen && firstDone ? cancelMark(firstOpen, firstDone) : new Map();
  const taken = done === undefined ? [] : matchesCancelDiff(mark, open, done, volatilePointers);
  if (taken.length > 0)
    return [
      {
        statement,
        expected: '200, and the other session as it was',
        actual: `200, and ${[...taken].sort()[0]} as if cancelled`,
        exchange: probe,
      },
    ];
  const isLost =
    left !== undefined && [404, 409].includes(statusOf(left) ?? 0) && !wasThrottled(exchanges, left);
  return isLost
    ? [
        {
          statement,
          expected: '200 to a cancel of the other session',
          actual: describeAnswer(left),
          exchange: left,
        },
      ]
    : [];
}

function violated(violation: Violation): Evaluation {
  return { outcome: 'violated', violations: [violation] };
}

function pair(
  parts: {
    readonly secondAfter?: string;
    readonly cancelFirst?: number;
    readonly cancelSecond?: number;
  } = {},
): readonly Exchange[] {
  return [
    created('cs_1'),
    read('cs_1', firstAlone),
    created('cs_2', { body: session('cs_2') }),
    read('cs_2', secondBefore),
    read('cs_1', firstBefore),
    cancelled('cs_1', cancelFirst, { status: parts.cancelFirst ?? 200 }),
    read('cs_1', firstAfter, { body: session('cs_1', 'cancelled') }),
    read('cs_2', secondAfter, { body: parts.secondAfter ?? session('cs_2') }),
    cancelled('cs_2', cancelSecond, { status: parts.cancelSecond ?? 200 }),
  ];
}

function untouchedSession(last: string = session('cs_8')): readonly Exchange[] {
  return [
    created('cs_8', { body: session('cs_8') }),
    read('cs_8', untouchedSessionLabels.first),
    read('cs_8', untouchedSessionLabels.second),
    created('cs_9', { body: session('cs_9') }),
    read('cs_8', untouchedSessionLabels.third, { body: last }),
  ];
}
