import { smallerSequences } from '../../harness/fuzzing/smaller-sequences.ts';

const acts = ['create', 'read', 'cancel'] as const;

/** What is wrong with the credentials of a read or a cancel, in the words that stand in its label. */
export const wrongCredentials = {
  none: 'without a key',
  invalid: 'with an unknown key',
  unscoped: 'with a key without the scope',
} as const;

/** One of the credentials that nobody must be let in with. */
export type WrongCredential = keyof typeof wrongCredentials;

/** One call in an order of calls. */
export interface OrderStep {
  readonly act: (typeof acts)[number];
  /** The session that it is about: a letter, given in the order in which sessions are created. */
  readonly session: string;
  /** Absent for the good key. */
  readonly wrong?: WrongCredential;
}

/** Calls on sessions of their own, the first of them a create of the session A. */
export type Order = readonly OrderStep[];

const letters = ['A', 'B', 'C'] as const;

/** The step in words: the label of its request, from which the judge reads it again. */
export function labelOf({ act, session, wrong }: OrderStep): string {
  return `${act} ${session}${wrong === undefined ? '' : ` ${wrongCredentials[wrong]}`}`;
}

/** The order in words. */
export function describeOrder(order: Order): string {
  return order.map(labelOf).join(', ');
}

/** The step that a label tells of; undefined for labels of other kinds. */
export function stepOf(label: string): OrderStep | undefined {
  const [, verb, session, words] = /^([a-z]+) ([A-C])(?: (.+))?$/.exec(label) ?? [];
  const act = acts.find((one) => one === verb);
  if (act === undefined || session === undefined) return undefined;
  const wrong = Object.entries(wrongCredentials).find(([, said]) => said === words)?.[0];
  if (words !== undefined && wrong === undefined) return undefined;
  return {
    act,
    session,
    ...(wrong === undefined ? {} : { wrong: wrong as WrongCredential }),
  };
}

/** The order that a text such as `create A, cancel A` describes. */
export function orderFrom(text: string): Order {
  return text.split(', ').map((label) => {
    const step = stepOf(label);
    if (step === undefined) throw new Error(`${label} is no step`);
    return step;
  });
}

/** The order in which each session is created once and before it is used, under letters without gaps. */
export function tidyOrder(order: Order): Order {
  const names = new Map<string, string>();
  return order.flatMap((step) => {
    const isCreate = step.act === 'create';
    if (isCreate === names.has(step.session)) return [];
    if (isCreate) names.set(step.session, letters[names.size] ?? step.session);
    return [{ ...step, session: names.get(step.session) ?? step.session }];
  });
}

/** Orders with fewer or simpler steps that end in a call like the last one, the boldest first. */
export function* smallerOrders(order: Order): Generator<Order> {
  const last = order.at(-1);
  for (const steps of smallerSequences(order, plainest)) {
    const smaller = tidyOrder(steps);
    const end = smaller.at(-1);
    const isSimilar = end?.act === last?.act && (end?.wrong === undefined) === (last?.wrong === undefined);
    if (smaller.length > 0 && isSimilar) yield smaller;
  }
}

function plainest(step: OrderStep): OrderStep {
  return step.wrong === undefined || step.wrong === 'none' ? step : { ...step, wrong: 'none' };
}
