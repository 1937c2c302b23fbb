import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeOrder, orderFrom, smallerOrders, stepOf, tidyOrder } from './order-steps.ts';

const text =
  'create A, create B, cancel B without a key, read A, cancel A with a key without the scope, cancel B';

describe('orders', () => {
  test('are read as they are written', () => {
    expect(describeOrder(orderFrom(text))).toBe(text);
  });

  test('are read from labels of steps alone', () => {
    const others = [
      'takes sessionId',
      'cancel D',
      'cancel A at once',
      'delete A',
      'cancels what is still open',
    ];
    expect(others.map(stepOf)).toEqual(others.map(() => undefined));
  });

  test('create each session once and before it is used', () => {
    expect(
      describeOrder(tidyOrder(orderFrom('read A, create C, create C, cancel C, create A, read B'))),
    ).toBe('create A, cancel A, create B');
  });

  test('become smaller, end in a call like the last one, and stay tidy', () => {
    const smaller = [...smallerOrders(orderFrom(text))];
    expect(smaller.map(describeOrder)).toContain(
      'create A, create B, cancel B without a key, read A, cancel B',
    );
    fc.assert(
      fc.property(fc.constantFrom(...smaller), (order) => {
        expect(order.length).toBeLessThanOrEqual(6);
        expect(order.at(-1)).toMatchObject({ act: 'cancel' });
        expect(order.at(-1)?.wrong).toBeUndefined();
        expect(tidyOrder(order)).toEqual(order);
      }),
    );
  });
});
