import { describe, expect, it } from 'vitest';
import { exampleExchange } from '../checks/example-exchange.ts';
import type { Exchange } from '../model/exchange.ts';
import { anyOperation, type Moments, SpellLedger } from './spell-ledger.ts';

type Call = Parameters<typeof exampleExchange>[0] & {
  readonly at?: number;
  readonly of?: string;
  readonly durationMs?: number;
};

/** What the ledger says of calls that come one after another, whatever their order. */
function momentsOf(calls: readonly Call[]): Moments {
  const ledger = new SpellLedger();
  const exchanges = calls.map(({ at, of, durationMs, ...given }, index): Exchange => {
    const exchange = exampleExchange(given);
    const startedAt = new Date(at ?? 1_000 * index).toISOString();
    const operation = of ?? exchange.operation;
    return { ...exchange, startedAt, operation, durationMs: durationMs ?? exchange.durationMs };
  });
  for (const exchange of exchanges.toReversed()) ledger.observe(exchange);
  return ledger.entries([
    { id: 'public', auth: 'none' },
    { id: 'read', auth: 'api-key', scope: 'catalog:read' },
  ]);
}

function spellsOf(...statuses: readonly number[]): Moments['spells'] {
  return momentsOf(statuses.map((status): Call => ({ status, role: status === 400 ? 'probe' : 'control' })))
    .spells;
}

describe('a store of answers in front of the scope', () => {
  const read = (id: number, credential: 'scoped' | 'unscoped', status: number): Call => ({
    of: 'read',
    request: { path: credential === 'scoped' ? `/s/a${id}` : `/s/%61${id}?page=1` },
    credential,
    status,
    body: String(id),
  });
  const ids = [1, 2, 3, 4, 5, 6, 7, 8];
  const filled = ids.flatMap((id) => [read(id, 'scoped', 200), read(id, 'unscoped', 200)]);
  const refused = ids.map((id) => read(id + ids.length, 'unscoped', 403));

  it('let through what a key with the scope had read, and nothing else', () => {
    expect(momentsOf([...filled, ...refused]).stored).toEqual(['read']);
  });

  it('is unknown where the operation lets anything through', () => {
    expect(momentsOf(filled).stored).toEqual([]);
    expect(momentsOf([...filled, ...refused, read(99, 'unscoped', 200)]).stored).toEqual([]);
  });
});

describe('reads that a ledger finds unsteady', () => {
  const read = (status: number, more: Partial<Call> = {}): Call => ({ status, role: 'control', ...more });
  const unsteadyOf = (...calls: readonly Call[]): Moments['unsteady'] => momentsOf(calls).unsteady;

  it('are refused and answered by turns', () => {
    expect(unsteadyOf(...[200, 404, 200, 404, 200].map((status) => read(status)))).toMatchObject([
      { came: 404, times: 2, of: 5 },
    ]);
  });

  it('are none that were refused once, for good, or beside others alone', () => {
    expect(unsteadyOf(read(200), read(404), read(404), read(200))).toEqual([]);
    expect(unsteadyOf(read(200), read(404), read(200), read(404))).toEqual([]);
    const beside = [1_000, 3_000].flatMap((at) => [read(200, { at }), read(404, { at })]);
    expect(unsteadyOf(read(200, { at: 0 }), ...beside, read(200, { at: 5_000 }))).toEqual([]);
  });

  it('rest on nothing that was issued or made up', () => {
    const made = { values: { slug: { value: 'none', source: 'generated' as const } } };
    expect(unsteadyOf(...[200, 404, 200, 404, 200].map((status) => read(status, made)))).toEqual([]);
  });
});

describe('the spells of a ledger', () => {
  it('say after what the valid call failed for good, and since when', () => {
    expect(spellsOf(200, 400, 200, 400, 400, 503, 503, 503)).toMatchObject([
      { came: 503, times: 3, isLasting: true, servedAt: 2_000, from: 5_000, until: '2 with 200, 3 with 400' },
    ]);
  });

  it('are one for each stretch between two calls that succeed', () => {
    const spells = spellsOf(200, 503, 503, 200, 503, 200);
    expect(spells.map(({ times, isLasting }) => [times, isLasting])).toEqual([
      [2, false],
      [1, false],
    ]);
  });

  it('tell nothing where the valid call never succeeded', () => {
    expect(spellsOf(400, 503, 503, 503)).toEqual([]);
  });

  it('begin for good with the first call that failed likewise, whatever it was', () => {
    const calls = [200, 400, 500, 500, 500, 500].map(
      (status, at): Call => ({ status, role: at === 2 ? 'probe' : 'control', label: `call ${at}` }),
    );
    expect(momentsOf(calls).spells).toMatchObject([{ isLasting: true, begunBy: 'call 2', from: 2_000 }]);
  });

  it('count valid calls after an unexpected response, and name no call that itself waited for what ran out', () => {
    const recovery = { role: 'witness', status: 500, row: { company: '500' } } as const;
    const first = (durationMs: number): Call => ({ role: 'probe', status: 500, label: 'first', durationMs });
    const spellAfter = (ms: number): Moments['spells'] =>
      momentsOf([{ status: 200, role: 'control' }, first(ms), recovery, recovery, recovery]).spells;
    expect(spellAfter(5)).toMatchObject([{ times: 3, isLasting: true, begunBy: 'first' }]);
    expect(spellAfter(500)[0]).not.toHaveProperty('begunBy');
    expect(spellAfter(500)).toMatchObject([{ times: 3, isLasting: true }]);
  });

  it('tell whether calls failed only beside others of their operation', () => {
    const alone = Array.from(
      { length: 20 },
      (_, at): Call => ({ status: 200, role: 'control', at: 100 * at }),
    );
    const atOnce = (at: number): readonly Call[] =>
      [200, 500, 200].map((status) => ({ status, role: 'control', at }));
    const isOfCrowd = (...calls: readonly Call[]): readonly boolean[] =>
      momentsOf([...alone, ...calls]).spells.map((one) => one.isOfCrowd);
    expect(isOfCrowd(...atOnce(2_000), ...atOnce(3_000), ...atOnce(4_000))).toEqual([true, true, true]);
    expect(isOfCrowd(...atOnce(2_000))).toEqual([false]);
    expect(isOfCrowd({ status: 500, role: 'control', at: 50 })).toEqual([false]);
  });
});

describe('an outage', () => {
  const every = (ms: number, from: number, to: number, status: number): readonly Call[] =>
    Array.from({ length: (to - from) / ms }, (_, at) => ({
      status,
      of: ['a', 'b', 'c'][at % 3] ?? '',
      at: from + at * ms,
    }));
  const served = every(100, 0, 10_000, 200);
  const away = every(100, 10_000, 13_000, 503);

  it('is a stretch without any other answer, after which as many calls are served in the same time', () => {
    const later = every(100, 13_000, 25_000, 200);
    expect(momentsOf([...served, ...away, ...later]).outages).toMatchObject([
      { came: 503, times: 30, operations: 3 },
    ]);
  });

  it('is none where fewer calls are served in the same time later, as by a limit on their rate', () => {
    const slower = every(200, 13_000, 60_000, 200);
    expect(momentsOf([...served, ...away, ...slower]).outages).toEqual([]);
  });

  it('names the call with which it began, where that got another answer of a gateway', () => {
    const first: Call = { status: 502, role: 'probe', label: '4096 letters', at: 9_990 };
    const later = every(100, 13_000, 25_000, 200);
    expect(momentsOf([...served, first, ...away, ...later]).outages).toMatchObject([
      { came: 503, begunBy: { label: '4096 letters', came: 502 } },
    ]);
  });
});

describe('a key that wavers', () => {
  const keyless = (of: string, status: number): Call => ({ credential: 'none', status, of });

  it('is one whose equal calls are decided on in different ways', () => {
    expect(momentsOf([keyless('a', 200), keyless('a', 401)]).wavering).toEqual([
      expect.objectContaining({ operation: 'a' }),
    ]);
    expect(momentsOf([keyless('a', 200), keyless('b', 401)]).wavering).toEqual([]);
    expect(momentsOf([keyless('public', 200), keyless('public', 403)]).wavering).toEqual([]);
    const inItsWay = { ...keyless('a', 200), row: { way: 'header x' } };
    expect(momentsOf([inItsWay, keyless('a', 401)]).wavering).toEqual([]);
  });

  it('wavers everywhere where it is let through at several operations', () => {
    const calls = [keyless('a', 401), ...['a', 'b', 'c'].map((of) => keyless(of, 200))];
    expect(momentsOf(calls).wavering).toMatchObject([{ operation: anyOperation }]);
  });

  it('is blocked if it is taken for a bad one right after each 403', () => {
    const calls = [0, 5_000, 10_000].flatMap((at): readonly Call[] => [
      { credential: 'unscoped', status: 403, at },
      { credential: 'unscoped', status: 401, at: at + 100 },
      { credential: 'unscoped', status: 401, at: at + 200 },
      { credential: 'unscoped', status: 200, at: at + 4_000 },
    ]);
    expect(momentsOf(calls).blocked).toHaveLength(1);
    const accepted: Call = { credential: 'unscoped', status: 200, at: 300 };
    expect(momentsOf([...calls, accepted, { ...accepted, at: 5_300 }]).blocked).toEqual([]);
  });
});
