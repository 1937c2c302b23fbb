import { expect, it } from 'vitest';
import { loadContract } from '../../spec/contract.ts';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import type { Exchange } from '../model/exchange.ts';
import type { PreparedCall } from '../requests/valid-values.ts';
import { MadeDecisions } from './decisions.ts';
import {
  admit,
  type Call,
  limitedAs,
  OverBudget,
  reconnect,
  type Send,
  servedBy,
  throttle,
} from './pipeline.ts';
import { propagate } from './propagation-delay.ts';
import type { AttemptParts } from './run-context.ts';
import { openContext } from './run-context-for-tests.ts';

const contract = await loadContract();
const operation = contract.operation(ids.bootstrap);
const call: Call = { operation, spec: { role: 'probe', label: 'a probe' } };
const prepared: PreparedCall = { path: '/', values: {}, isFresh: false, body: undefined };

/** What stands for the stages behind: answers in turn, the last one again and again; 0 is a connection that is reset. */
function answering(...statuses: readonly number[]): { readonly next: Send; readonly calls: Call[] } {
  const calls: Call[] = [];
  const next: Send = async (made) => {
    const status = statuses[Math.min(calls.push(made), statuses.length) - 1];
    const request = { credential: { kind: 'none' }, values: {} };
    const response = { status, headers: [], body: {} };
    const end = status === 0 ? { failure: { kind: 'reset', message: '' } } : { response };
    const exchange = {
      id: String(calls.length),
      startedAt: new Date().toISOString(),
      request,
      durationMs: 1,
      ...end,
    };
    return servedBy({ ...made, prepared }, exchange as unknown as Exchange, () => ({}));
  };
  return { next, calls };
}

async function parts(): Promise<AttemptParts> {
  const context = await openContext('http://localhost');
  const sendingFor = { check: 'area/check', operation, attempt: 1 };
  const values = { extract: () => undefined, forget: () => undefined } as unknown as AttemptParts['values'];
  return {
    context: { ...context, sleep: async () => {} },
    sendingFor,
    values,
    decisions: new MadeDecisions(),
  };
}

it.each([
  [[429, 429, 200], 200, 3],
  [[500], 500, 1],
  [[503], 503, 1],
])('throttle repeats what is throttled: %j', async (statuses, last, count) => {
  const { next, calls } = answering(...statuses);
  const { exchange } = await throttle(await parts(), next)(call);
  expect([exchange.response?.status, calls.length]).toEqual([last, count]);
});

it('throttle gives up after twelve tries', async () => {
  const { next, calls } = answering(429);
  await expect(throttle(await parts(), next)(call)).rejects.toThrow('the target throttled every try');
  expect(calls).toHaveLength(12);
});

it.each([
  [undefined, [0, 200], [undefined, 'fresh']],
  [undefined, [0, 0, 200], [undefined, 'fresh']],
  ['fresh' as const, [0, 200], ['fresh']],
  [undefined, [200], [undefined]],
])(
  'reconnect repeats, once, what was sent over %s and lost: %j',
  async (connection, statuses, connections) => {
    const { next, calls } = answering(...statuses);
    const sent = connection === undefined ? call : { ...call, spec: { ...call.spec, connection } };
    await reconnect(next)(sent);
    expect(calls.map((made) => made.spec.connection)).toEqual(connections);
  },
);

it.each(['control', 'probe', 'reduction'] as const)(
  'propagate takes a 404 of what no call has issued for the answer, to a %s too',
  async (role) => {
    const { next, calls } = answering(404, 200);
    const { exchange } = await propagate(await parts(), next)({ ...call, spec: { ...call.spec, role } });
    expect([exchange.response?.status, calls.length]).toEqual([404, 1]);
  },
);

it('admit lets nothing through that the budget has no room for', async () => {
  const { next, calls } = answering(200);
  const made = await parts();
  made.context.budget.expect(`${operation.id}/area/check`, 10_000);
  await expect(admit(made, next)(call)).rejects.toThrow(OverBudget);
  expect(calls).toEqual([]);
});

it('paces calls with bad keys together, as a target counts them by key or address', () => {
  const withKey = (kind: 'invalid' | 'scoped'): Call => {
    const credential = { kind, description: 'a key', header: 'x', secret: 'x' };
    return { ...call, spec: { ...call.spec, credential } };
  };
  const other = { ...withKey('invalid'), operation: contract.operation(ids.keyProducts) };
  expect(limitedAs(other)).toBe(limitedAs(withKey('invalid')));
  expect(limitedAs(withKey('scoped'))).toBe(operation.id);
});
