import { describe, expect, test } from 'vitest';
import { exampleExchange } from '../checks/example-exchange.ts';
import type { Answered } from './request-sender.ts';
import { SharedControls } from './shared-controls.ts';

const create = 'createHostedCheckoutSession';

function answered(status: number): Answered {
  return { exchange: exampleExchange({ status }), body: () => undefined };
}

function never(): Promise<Answered> {
  throw new Error('nothing should be sent');
}

describe('the valid call', () => {
  test('is sent once for all cases that ask at once', async () => {
    const controls = new SharedControls();
    const [first, second] = await Promise.all([
      controls.get(create, async () => answered(200), false),
      controls.get(create, never, false),
    ]);
    expect(second).toBe(first);
  });

  test('is sent again after one that was refused, and for a case that needs its own', async () => {
    const controls = new SharedControls();
    await controls.get(create, async () => answered(503), false);
    const [again, own] = [answered(200), answered(200)];
    expect(await controls.get(create, async () => again, false)).toBe(again);
    expect(await controls.get(create, async () => own, true)).toBe(own);
  });
});

describe('values that need not be unused', () => {
  test('come from the valid call', async () => {
    const controls = new SharedControls();
    const valid = await controls.get(create, async () => answered(200), false);
    expect(await controls.forValues(create, never)).toBe(valid);
  });

  test('come from a call of their own where the valid one is missing or was refused, and which others share', async () => {
    for (const status of [undefined, 401]) {
      const controls = new SharedControls();
      if (status !== undefined) await controls.get(create, async () => answered(status), false);
      const setUp = await controls.forValues(create, async () => answered(200));
      expect(await controls.forValues(create, never)).toBe(setUp);
    }
  });
});
