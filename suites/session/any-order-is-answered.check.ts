import type { ActiveCheck } from '../../harness/checks/check.ts';
import { notTested } from '../../harness/checks/not-tested.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import { reduce } from '../../harness/fuzzing/reduce.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { callSequences, requestsOfOrders } from './call-sequences.ts';
import { played } from './example-orders.ts';
import {
  cancelled,
  cancelOperation,
  created,
  createOperation,
  read,
  readOperation,
  session,
} from './example-session.ts';
import { describeOrder, type Order, smallerOrders, stepOf } from './order-steps.ts';
import { OrderSender, untouched } from './send-order.ts';
import { cancelSession, createSession, readSession, uniqueRemedy } from './session-evidence.ts';
import { longestLeftAlone, type WrongAnswer, wrongAnswers } from './wrong-answers.ts';

/** Requests that are spent on making the orders of one attempt smaller. */
const spentOnReduction = 60;
/** Different wrong answers that one case reports at the most. */
const mostFindings = 3;

/** Which order shows a violation: an attempt that follows need send no other. */
const shownIn = new WeakMap<Exchange, Order>();

// A session that others were created or cancelled beside may have ended with that: SESSION-5 asks no more than that it
// should not. What is judged here are answers that are wrong either way, and those about a session that had no company
// since its creation.
const check: ActiveCheck = {
  kind: 'active',
  last: true,
  requirement: 'SESSION-2',
  title: 'creates, reads, cancels and refused cancels of several sessions are answered well in any order',
  applies: ({ id }) => id === createSession || id === readSession || id === cancelSession,
  needs: () => ['scoped-key', 'valid-call'],
  requests: ({ id }, fuzzRuns) => requestsOfOrders(id, fuzzRuns),
  alone: () => true,
  probe: (client, operation) =>
    client.inTurn(async () => {
      const sender = new OrderSender(client);
      const repeated = repeatedOrders(client.earlier);
      try {
        for (const order of repeated ?? callSequences(client, operation.id))
          await sender.send(order, 'probe');
        // What other cases left behind may have kept an order from being played to its end.
        if (repeated !== undefined && wrongAnswers(client.exchanges).length === 0)
          for (const order of repeated) await sender.send(order, 'probe');
        const doubtful = wrongAnswers(client.exchanges).filter(
          ({ mayHaveOtherCauses }) => mayHaveOtherCauses,
        );
        const wait = 1.5 * Math.max(...doubtful.map(({ age }) => age)) + 100;
        if (doubtful.length > 0) await sender.compare(wait);
        // A session that is created after a cancel may be harmed by that.
        const isShown = longestLeftAlone(client.exchanges) !== undefined;
        if (doubtful.length > 0 && !isShown) await sender.compare(wait, 'after another create');
        if (repeated === undefined) await makeSmaller(client, sender, operation.id);
      } finally {
        for (const { exchange, order } of wrongAnswers(client.exchanges)) shownIn.set(exchange, order);
      }
    }),
  evaluate: ({ exchanges, operation }) => {
    const wrong = wrongAnswers(exchanges);
    const certain = wrong.filter((one) => isCertain(one, exchanges));
    const own = oneOfEachKind(certain.filter(({ exchange }) => exchange.operation === operation.id));
    return violatedOr(own.map(violationOf), () => withoutViolation(exchanges, operation.id, wrong));
  },
  examples: [
    {
      name: 'orders that are answered as they may be',
      given: {
        operation: cancelOperation,
        exchanges: [
          ...played('create A 200, read A 200, cancel A 200, cancel A 409, cancel A 404, read A 404'),
          ...played(
            'create A 200, cancel A without a key 401, cancel A 200, cancel A with an unknown key 409',
          ),
          ...played('create A 200, create B 409, cancel A 200'),
        ],
      },
      says: 'pass',
    },
    {
      name: 'the third cancel crashes',
      given: {
        operation: cancelOperation,
        exchanges: played('create A 200, cancel A 200, cancel A 409, cancel A 500'),
      },
      says: 'violated',
    },
    {
      name: 'the third cancel crashes, which is no fault of the reads',
      given: {
        operation: readOperation,
        exchanges: played('create A 200, cancel A 200, cancel A 409, cancel A 500, read A 200'),
      },
      says: 'inconclusive',
    },
    {
      name: 'a read after two cancels is answered 409',
      given: {
        operation: readOperation,
        exchanges: played('create A 200, cancel A 200, cancel A 409, read A 409'),
      },
      says: 'violated',
    },
    {
      name: 'no session can be created once one was cancelled',
      given: {
        operation: createOperation,
        exchanges: played('create A 200, cancel A 200, create B 500'),
      },
      says: 'violated',
    },
    {
      name: 'a refused cancel keeps the rightful one from succeeding',
      given: {
        operation: cancelOperation,
        exchanges: [...played('create A 200, cancel A without a key 401, cancel A 409'), ...leftAlone()],
      },
      says: 'violated',
    },
    {
      name: 'sessions that are left alone do not stay open either',
      given: {
        operation: cancelOperation,
        exchanges: [...played('create A 200, cancel A without a key 401, cancel A 409'), ...leftAlone(409)],
      },
      says: 'inconclusive',
    },
    {
      name: 'a create ends the session that was open before',
      given: {
        operation: cancelOperation,
        exchanges: played('create A 200, create B 200, cancel A 409, cancel B 200'),
      },
      says: 'pass',
    },
    {
      name: 'equal creates give one session, be it cancelled or not',
      given: {
        operation: cancelOperation,
        exchanges: played('create A 200, cancel A 200, create B 200, cancel B 409', {
          ids: { A: 'cs_1', B: 'cs_1' },
        }),
      },
      says: 'pass',
    },
    {
      name: 'a first try was throttled, and may have cancelled it',
      given: {
        operation: cancelOperation,
        exchanges: played('create A 200, cancel A 429, cancel A 409, cancel A 200'),
      },
      says: 'pass',
    },
    {
      name: 'found at the second look',
      given: {
        operation: readOperation,
        exchanges: played('create A 200, read A 404, read A 200, cancel A 200'),
      },
      says: 'pass',
    },
    {
      name: 'cancelled at the second try, a moment later',
      given: {
        operation: cancelOperation,
        exchanges: played('create A 200, cancel A 404, cancel A 200'),
      },
      says: 'pass',
    },
    {
      name: 'not cancelled at the second try either',
      given: {
        operation: cancelOperation,
        exchanges: [...played('create A 200, cancel A 404, cancel A 404'), ...leftAlone()],
      },
      says: 'violated',
    },
    {
      name: 'a read shows the session that was created before',
      given: {
        operation: readOperation,
        exchanges: played('create A 200, create B 200, read B 200, cancel A 200', { shown: { B: 'cs_A' } }),
      },
      says: 'violated',
    },
    { name: 'no session', given: { operation: cancelOperation, exchanges: [] }, says: 'inconclusive' },
  ],
};

export default check;

/** The orders that showed violations, each once; undefined where there are none. */
function repeatedOrders(earlier: readonly Exchange[]): readonly Order[] | undefined {
  const orders = earlier.flatMap((exchange) => {
    const order = shownIn.get(exchange);
    return order === undefined ? [] : [[describeOrder(order), order] as const];
  });
  return orders.length === 0 ? undefined : [...new Map(orders).values()];
}

/** Takes what is not needed out of the orders that were answered wrongly, one for each kind of answer. */
async function makeSmaller(client: CaseClient, sender: OrderSender, operation: string): Promise<void> {
  const start = client.exchanges.length;
  const certain = wrongAnswers(client.exchanges).filter((one) => isCertain(one, client.exchanges));
  for (const wrong of oneOfEachKind(certain.filter(({ exchange }) => exchange.operation === operation))) {
    await reduce(wrong.order, {
      smaller: smallerOrders,
      keyOf: describeOrder,
      budget: spentOnReduction,
      stillFails: async (order) => {
        const sent = client.exchanges.length;
        if (sent + order.length > start + spentOnReduction || !client.hasRoom) return false;
        await sender.send(order, 'reduction');
        const now = client.exchanges.slice(sent);
        return wrongAnswers(client.exchanges).some(
          (one) =>
            now.includes(one.exchange) && kindOf(one) === kindOf(wrong) && isCertain(one, client.exchanges),
        );
      },
    });
  }
}

/** Whether nothing but the order can have brought the answer about. */
function isCertain({ mayHaveOtherCauses, age }: WrongAnswer, exchanges: readonly Exchange[]): boolean {
  if (!mayHaveOtherCauses) return true;
  return age <= (longestLeftAlone(exchanges) ?? -1);
}

/** The first of each kind of wrong answer. */
function oneOfEachKind(wrong: readonly WrongAnswer[]): readonly WrongAnswer[] {
  const byKind = new Map<string, WrongAnswer>();
  for (const one of wrong) if (!byKind.has(kindOf(one))) byKind.set(kindOf(one), one);
  return [...byKind.values()].slice(0, mostFindings);
}

function kindOf({ exchange, actual }: WrongAnswer): string {
  return [exchange.operation, stepOf(exchange.label)?.wrong !== undefined, actual].join(' ');
}

function violationOf({ order, statement, expected, actual, exchange }: WrongAnswer): Violation {
  const text = describeOrder(order);
  return {
    statement,
    expected,
    actual,
    exchange,
    detail: text,
    reproduction: `# in this order, each letter a session of its own: ${text}`,
  };
}

function leftAlone(status = 200): readonly Exchange[] {
  return [
    created('cs_9', { role: 'control', label: untouched.create, body: session('cs_9') }),
    read('cs_9', untouched.read, { role: 'control' }),
    cancelled('cs_9', untouched.cancel, { status }),
  ];
}

function withoutViolation(
  exchanges: readonly Exchange[],
  operation: string,
  wrong: readonly WrongAnswer[],
): Evaluation {
  const [other] = wrong;
  if (other !== undefined) {
    const reason = `${describeOrder(other.order)}: the last was answered ${other.actual}`;
    return other.exchange.operation === operation
      ? notTested(`${reason}, but something else may have ended the session`, uniqueRemedy)
      : inconclusive(`${reason}, which the cases of ${other.exchange.operation} evaluate`);
  }
  const steps = exchanges.filter(({ role, label }) => role === 'probe' && stepOf(label) !== undefined);
  const answered = steps.filter((exchange) => exchange.operation === operation);
  const isTried = exchanges.some(
    (exchange) => exchange.operation === cancelSession && statusOf(exchange) === 200,
  );
  if (!isTried || answered.length === 0) return notTested('no session was created and cancelled');
  const orders = steps.filter(({ label }) => label === 'create A').length;
  return pass(`${orders} orders of ${steps.length} calls, each answered as it may be`);
}
