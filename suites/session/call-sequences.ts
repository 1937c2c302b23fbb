import fc from 'fast-check';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import {
  type Order,
  type OrderStep,
  orderFrom,
  tidyOrder,
  type WrongCredential,
  wrongCredentials,
} from './order-steps.ts';
import { cancelSession, createSession, readSession } from './session-evidence.ts';

interface Orders {
  /** Sent at every seed, the plainest first. */
  readonly always: readonly Order[];
  /** Random orders for each random input that is asked for. */
  readonly random: number;
}

/** By the operation whose answers they tell about. */
const ordersOf: Readonly<Record<string, Orders>> = {
  [cancelSession]: {
    always: [
      'create A, read A, cancel A, cancel A, cancel A, read A',
      'create A, cancel A without a key, cancel A, cancel A with an unknown key, read A, cancel A',
      'create A, read A, read A, read A, cancel A with a key without the scope, cancel A',
      'create A, read A without a key, cancel A',
      'create A, create B, cancel B, cancel A, cancel B',
      'create A, cancel A, create B, cancel A, cancel B',
      'create A, create B, cancel A with an unknown key, cancel B, cancel A',
      'create A, cancel A, cancel A without a key, cancel A with a key without the scope, cancel A, read A',
      'create A, create B, create C, cancel B, cancel C, cancel A',
    ].map(orderFrom),
    random: 2 / 8,
  },
  [readSession]: {
    always: [
      'create A, read A, cancel A, read A, cancel A, cancel A, read A, read A',
      'create A, cancel A without a key, read A, create B, cancel A, read B, read A, cancel B',
      'create A, cancel A, create B, read A, read B, cancel B, read B',
    ].map(orderFrom),
    random: 1 / 8,
  },
  [createSession]: {
    always: [
      'create A, create B, cancel A, create C, cancel C, cancel B',
      'create A, cancel A, cancel A, cancel A, create B, cancel B',
    ].map(orderFrom),
    random: 1 / 8,
  },
};

/** Steps of a random order, those left aside with which its sessions are created and finally cancelled. */
const length = { minLength: 3, maxLength: 6, size: 'max' } as const;

const wrong = fc.constantFrom(...(Object.keys(wrongCredentials) as WrongCredential[]));

const step: fc.Arbitrary<OrderStep> = fc
  .record({
    session: fc.constantFrom('A', 'A', 'B', 'C'),
    act: fc.constantFrom('read' as const, 'cancel' as const, 'cancel' as const),
    refused: fc.option(wrong, { freq: 2, nil: undefined }),
  })
  .map(({ session, act, refused }) => ({
    session,
    act,
    ...(refused !== undefined ? { wrong: refused } : {}),
  }));

const anyOrder: fc.Arbitrary<Order> = fc
  .tuple(fc.array(step, length), fc.boolean())
  .map(([steps, atOnce]) => complete(steps, atOnce));

/** The orders that are sent for an operation: the same for the same seed. */
export function callSequences(client: CaseClient, operation: string): readonly Order[] {
  const { always, random } = ordersOf[operation] ?? { always: [], random: 0 };
  const numRuns = Math.ceil(client.fuzzRuns * random);
  const seed = Math.floor(client.random('orders')() * 2 ** 31);
  return [...always, ...(numRuns === 0 ? [] : fc.sample(anyOrder, { seed, numRuns }))];
}

/** The most requests that the orders of an operation are. */
export function requestsOfOrders(operation: string, fuzzRuns: number): number {
  const { always, random } = ordersOf[operation] ?? { always: [], random: 0 };
  const longest = length.maxLength + 6;
  return always.flat().length + Math.ceil(fuzzRuns * random) * longest;
}

/** Creates each session when it is first used, or all at once before, and cancels in the end what is still open. */
function complete(steps: readonly OrderStep[], atOnce: boolean): Order {
  const used = [...new Set(steps.map(({ session }) => session))];
  const creates = used.map((session): OrderStep => ({ act: 'create', session }));
  const created = atOnce
    ? [...creates, ...steps]
    : steps.flatMap((one, at) =>
        steps.findIndex(({ session }) => session === one.session) === at
          ? [{ act: 'create' as const, session: one.session }, one]
          : [one],
      );
  const open = used.filter(
    (session) => !steps.some((one) => one.session === session && one.act === 'cancel' && !one.wrong),
  );
  return tidyOrder([...created, ...open.map((session): OrderStep => ({ act: 'cancel', session }))]);
}
