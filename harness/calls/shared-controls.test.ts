import { describe, expect, test } from 'vitest';
import { exampleExchange, exampleOperation } from '../checks/example-exchange.ts';
import type { Answered } from '../requests/call-spec.ts';
import { SharedControls } from './shared-controls.ts';

const operation = exampleOperation({ id: 'create', method: 'POST', role: 'creates-session' });
const create = operation.id;
const wanted = { operation, step: 'valid', isOwn: false };

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
      controls.get(wanted, async () => answered(200)),
      controls.get(wanted, never),
    ]);
    expect(second).toBe(first);
  });

  test('is sent again after a server error of the operation', async () => {
    const controls = new SharedControls();
    await controls.get(wanted, async () => answered(200));
    controls.note(create, answered(400).exchange);
    controls.note(create, exampleExchange({ failure: 'abandoned' }));
    expect(await controls.get(wanted, never)).toBeDefined();
    controls.note(create, answered(503).exchange);
    const again = answered(200);
    expect(await controls.get(wanted, async () => again)).toBe(again);
  });

  test('is sent again after one that was refused, and for a case that needs its own', async () => {
    const controls = new SharedControls();
    await controls.get(wanted, async () => answered(503));
    const [again, own] = [answered(200), answered(200)];
    expect(await controls.get(wanted, async () => again)).toBe(again);
    expect(await controls.get({ ...wanted, isOwn: true }, async () => own)).toBe(own);
  });
});

describe('values that need not be unused', () => {
  test('come from the valid call', async () => {
    const controls = new SharedControls();
    const valid = await controls.get(wanted, async () => answered(200));
    expect(await controls.forValues(create, never, () => true)).toBe(valid);
  });

  test('come from a call of their own where none before is usable', async () => {
    const controls = new SharedControls();
    await controls.get(wanted, async () => answered(200));
    const setUp = answered(200);
    expect(
      await controls.forValues(
        create,
        async () => setUp,
        () => false,
      ),
    ).toBe(setUp);
  });

  test('come from a call of their own where the valid one is missing or was refused, and which others share', async () => {
    for (const status of [undefined, 401]) {
      const controls = new SharedControls();
      if (status !== undefined) await controls.get(wanted, async () => answered(status));
      const setUp = await controls.forValues(
        create,
        async () => answered(200),
        () => true,
      );
      expect(await controls.forValues(create, never, () => true)).toBe(setUp);
    }
  });
});
