import type { ActiveCheck } from '../../harness/checks/check.ts';
import { notTested } from '../../harness/checks/not-tested.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { cancelMark } from './cancel-mark.ts';
import { cancelled, created, cancelOperation as operation, read, session } from './example-session.ts';
import { effectsOf, labels } from './refused-cancel-effects.ts';
import { cancelSession, lastOf, relevantExchanges, shownBy, uniqueRemedy } from './session-evidence.ts';
import { type Sessions, withSessions } from './sessions.ts';
import { untouchedSessionLabels, untouchedSessionOf } from './untouched-session.ts';

const brokenBody = { bytes: Buffer.from('{"broken": '), contentType: 'application/json' };

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'SESSION-4',
  title: 'a cancel that is refused leaves the session as it was, and still to be cancelled',
  applies: ({ id }) => id === cancelSession,
  needs: () => ['scoped-key', 'unscoped-key', 'valid-call'],
  requests: () => 42,
  probe: (client) =>
    withSessions(client, async (sessions) => {
      const { none, invalid, unscoped } = client.keys;
      if (!(await showCancel(sessions))) return;
      let id: string | undefined;
      for (const credential of [none, invalid[0], unscoped]) {
        if (credential === undefined) continue;
        if (id === undefined) {
          id = await sessions.open();
          await sessions.read(id, { role: 'witness', label: labels.look });
        }
        const label = `cancel with ${credential.description}`;
        const probe = await sessions.cancel(id, { role: 'probe', label, credential });
        if (statusOf(probe) === 200) {
          // Let in, which the checks of keys judge: this session has told all that it can.
          id = undefined;
          continue;
        }
        const left = await sessions.read(id, { role: 'witness', label: labels.look });
        if (statusOf(left) !== 200) id = undefined;
      }
      if (id !== undefined) await sessions.cancel(id, { role: 'control', label: labels.rightful });
      const other = await sessions.open();
      await sessions.read(other, { role: 'witness', label: labels.look });
      let statuses: ReadonlyArray<number | undefined> = [];
      for (const [label, body] of [
        [labels.broken, brokenBody],
        [labels.absent, 'none'],
      ] as const) {
        const probe = await sessions.cancel(other, { role: 'probe', label, body });
        await sessions.read(other, { role: 'witness', label: labels.look });
        statuses = [...statuses, statusOf(probe)];
      }
      if (statuses.every((status) => status === 400))
        await sessions.cancel(other, { role: 'control', label: labels.rightful });
      const { effects } = effectsOf(relevantExchanges(client.exchanges), new Set());
      if (effects.length > 0) await sessions.watchUntouchedSessionForLong('created and cancelled');
    }),
  evaluate: (evidence) => {
    const exchanges = relevantExchanges(evidence.exchanges);
    const cancel = lastOf(exchanges, labels.modelCancel);
    if (cancel === undefined)
      return lastOf(exchanges, labels.modelBefore) === undefined
        ? inconclusive('no session was created')
        : inconclusive('the session cannot be read, which SESSION-1 judges');
    if (statusOf(cancel) !== 200)
      return notTested(`a rightful cancel was answered ${describeAnswer(cancel)}, which SESSION-2 evaluates`);
    const witness = untouchedSessionOf(exchanges);
    const { effects, evaluated, observable } = effectsOf(exchanges, witness?.volatilePointers ?? new Set());
    if (effects.length > 0 && witness === undefined)
      return notTested('a session changed, and no other one could be watched to see whether all do');
    if (effects.length > 0 && witness?.disturbed !== undefined) {
      const reason = `a session changed after a refused cancel, but ${witness.disturbed}`;
      return notTested(`${reason}, so something else may have done it`, uniqueRemedy);
    }
    return violatedOr(effects, () => withoutEffect(exchanges, evaluated, observable));
  },
  examples: [
    { name: 'no effect', given: { operation, exchanges: [...model(), ...tried()] }, says: 'pass' },
    {
      name: 'a cancelled session is forgotten, and nothing is forgotten that was not cancelled',
      given: {
        operation,
        exchanges: [
          ...model({ after: { status: 404 }, again: { status: 404 } }),
          ...tried({ shown: [session('cs_1'), session('cs_1'), session('cs_1')] }),
        ],
      },
      says: 'pass',
    },
    {
      name: 'refused attempts are counted and dated',
      given: {
        operation,
        exchanges: [
          ...model({
            before: { body: session('cs_0', 'open', { tries: 0, at: '2026-01-01T00:00:00Z' }) },
            after: { body: session('cs_0', 'cancelled', { tries: 1, at: '2026-01-01T00:00:01Z' }) },
          }),
          ...tried({
            shown: [0, 1, 2].map((tries) =>
              session('cs_1', 'open', { tries, at: `2026-01-01T00:00:0${tries}Z` }),
            ),
          }),
        ],
      },
      says: 'pass',
    },
    {
      name: 'refused attempts are named in the session',
      given: {
        operation,
        exchanges: [
          ...model({
            before: { body: session('cs_0', 'open', { last: 'none' }) },
            after: { body: session('cs_0', 'cancelled', { last: 'cancel' }) },
          }),
          ...tried({
            shown: ['none', 'cancel', 'cancel'].map((last) => session('cs_1', 'open', { last })),
          }),
        ],
      },
      says: 'pass',
    },
    {
      name: 'the same of a session that cannot be cancelled any more',
      given: {
        operation,
        exchanges: [
          ...model({
            before: { body: session('cs_0', 'open', { last: 'none' }) },
            after: { body: session('cs_0', 'cancelled', { last: 'cancel' }) },
          }),
          ...tried({
            shown: ['none', 'cancel', 'cancel'].map((last) => session('cs_1', 'open', { last })),
            rightful: 409,
          }),
          ...untouchedSession(),
        ],
      },
      says: 'violated',
    },
    {
      name: 'cancelled without credentials',
      given: {
        operation,
        exchanges: [
          ...model(),
          ...tried({ shown: [session('cs_1'), ...twice(session('cs_1', 'cancelled'))] }),
          ...untouchedSession(),
        ],
      },
      says: 'violated',
    },
    {
      name: 'deleted without credentials',
      given: {
        operation,
        exchanges: [
          ...model(),
          ...tried({ shown: [session('cs_1'), undefined, undefined] }),
          ...untouchedSession(),
        ],
      },
      says: 'violated',
    },
    {
      name: 'nothing is seen, but the session cannot be cancelled any more',
      given: { operation, exchanges: [...model(), ...tried({ rightful: 409 }), ...untouchedSession()] },
      says: 'violated',
    },
    {
      name: 'cancelled by a body that is not JSON',
      given: {
        operation,
        exchanges: [
          ...model(),
          ...tried(),
          created('cs_2'),
          read('cs_2', labels.look),
          refusal('cs_2', labels.broken, 400),
          read('cs_2', labels.look, { body: session('cs_2', 'cancelled') }),
          ...untouchedSession(),
        ],
      },
      says: 'violated',
    },
    {
      name: 'sessions change without being cancelled',
      given: {
        operation,
        exchanges: [
          ...model(),
          ...tried({ shown: [session('cs_1'), ...twice(session('cs_1', 'cancelled'))] }),
          ...untouchedSession(session('cs_8', 'cancelled')),
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'changed, and no bystander could be created',
      given: {
        operation,
        exchanges: [
          ...model(),
          ...tried({ shown: [session('cs_1'), ...twice(session('cs_1', 'cancelled'))] }),
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'a rightful cancel does not succeed',
      given: { operation, exchanges: model({ cancel: { status: 409 } }) },
      says: 'inconclusive',
    },
    {
      name: 'nothing tells a cancelled session from an open one',
      given: {
        operation,
        exchanges: [
          ...model({ after: { body: session('cs_0') }, again: { status: 200, body: session('cs_0') } }),
          ...tried(),
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'let in with 200, which the checks of keys judge',
      given: {
        operation,
        exchanges: [
          ...model(),
          created('cs_1'),
          read('cs_1', labels.look),
          refusal('cs_1', 'cancel with no key', 200),
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'no key without the scope is known',
      given: {
        operation,
        exchanges: [
          ...model(),
          created('cs_1'),
          read('cs_1', labels.look),
          refusal('cs_1', 'cancel with no credentials', 401),
          read('cs_1', labels.look),
          cancelled('cs_1', labels.rightful),
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'cannot be read',
      given: { operation, exchanges: [created('cs_0'), read('cs_0', labels.modelBefore, { status: 404 })] },
      says: 'inconclusive',
    },
    { name: 'no session', given: { operation, exchanges: [] }, says: 'inconclusive' },
  ],
};

export default check;

function withoutEffect(
  exchanges: readonly Exchange[],
  evaluated: readonly Exchange[],
  observable: boolean,
): Evaluation {
  const statuses = evaluated.map((probe) => describeAnswer(probe)).join(', ');
  if (evaluated.length === 0)
    return inconclusive('no cancel was refused with 401 or 403 of a session that can be read');
  if (!observable)
    return inconclusive('neither a read nor a second cancel tells a cancelled session from an open one');
  const tried = exchanges.filter(({ role }) => role === 'probe');
  if (!tried.some(({ request }) => request.credential.kind === 'unscoped')) {
    return inconclusive(
      `no effect after ${statuses}, but no key is known that is refused with 403`,
      'keys: { unscoped: <a good key without catalog:read> }',
    );
  }
  const other = tried.find(
    ({ request }) =>
      request.credential.kind !== 'scoped' && evaluated.every((probe) => probe.request !== request),
  );
  return other === undefined
    ? pass(`no effect after cancels that were answered ${statuses}`)
    : inconclusive(
        `the ${other.label} was answered ${describeAnswer(other)}, which the checks of keys evaluate`,
      );
}

/** Cancels one session rightfully, to show what that changes. */
async function showCancel(sessions: Sessions): Promise<boolean> {
  const id = await sessions.open();
  const found = await sessions.read(id, { role: 'control', label: labels.modelBefore });
  if (statusOf(found) !== 200) return false;
  const before = shownBy(found);
  const cancel = await sessions.cancel(id, { role: 'control', label: labels.modelCancel });
  if (statusOf(cancel) !== 200) return false;
  await sessions.read(id, { role: 'control', label: labels.modelAfter }, (exchange) => {
    const after = shownBy(exchange);
    return before === undefined || after === undefined || cancelMark(before, after).size > 0;
  });
  await sessions.cancel(id, { role: 'control', label: labels.modelAgain });
  return true;
}

function model(
  parts: {
    readonly before?: Parameters<typeof read>[2];
    readonly cancel?: Parameters<typeof read>[2];
    readonly after?: Parameters<typeof read>[2];
    readonly again?: Parameters<typeof read>[2];
  } = {},
): readonly Exchange[] {
  return [
    created('cs_0'),
    read('cs_0', labels.modelBefore, parts.before),
    cancelled('cs_0', labels.modelCancel, parts.cancel),
    read('cs_0', labels.modelAfter, parts.after ?? { body: session('cs_0', 'cancelled') }),
    cancelled('cs_0', labels.modelAgain, parts.again ?? { status: 409 }),
  ];
}

function refusal(id: string, label: string, status: number): Exchange {
  const credential = status === 401 ? 'none' : status === 403 ? 'unscoped' : 'scoped';
  return cancelled(id, label, { role: 'probe', status, credential, body: '{"code":"refused"}' });
}

/** Refused cancels of one session and what was read around them, `undefined` for 404. */
function tried(
  seen: { readonly shown?: ReadonlyArray<string | undefined>; readonly rightful?: number } = {},
): readonly Exchange[] {
  const [first, second, third] = (seen.shown ?? [session('cs_1'), ...twice(session('cs_1'))]).map((body) =>
    read('cs_1', labels.look, body === undefined ? { status: 404 } : { body }),
  );
  if (first === undefined || second === undefined || third === undefined) return [];
  return [
    created('cs_1'),
    first,
    refusal('cs_1', 'cancel with no credentials', 401),
    second,
    refusal('cs_1', 'cancel with key without scope', 403),
    third,
    cancelled('cs_1', labels.rightful, { status: seen.rightful ?? 200 }),
  ];
}

function twice(body: string): readonly string[] {
  return [body, body];
}

function untouchedSession(last: string = session('cs_8')): readonly Exchange[] {
  return [
    created('cs_8'),
    read('cs_8', untouchedSessionLabels.first),
    read('cs_8', untouchedSessionLabels.second),
    created('cs_9'),
    read('cs_8', untouchedSessionLabels.third, { body: last }),
  ];
}
