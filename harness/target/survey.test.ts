import { afterEach, describe, expect, it } from 'vitest';
import type { ShapeName } from '../../fixtures/reference-service/shape.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { openContext, type TestContext } from '../calls/run-context-for-tests.ts';
import { serveHttp } from '../http/loopback-for-tests.ts';
import type { Target } from '../model/target.ts';
import { runPreflight } from './preflight.ts';
import { type Survey, surveyTarget } from './survey.ts';

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function survey(
  shape: ShapeName,
  change: (given: Target['keys']) => Partial<Target> = (keys) => ({ keys }),
): Promise<{ readonly context: TestContext; readonly found: Survey }> {
  const service = await startService({ shape });
  open.push(() => service.close());
  const context = await openContext(service.baseUrl, { target: change(service.target.keys) });
  open.push(() => context.client.close());
  return { context, found: await surveyTarget(context, await runPreflight(context)) };
}

describe('how keys are written', () => {
  it.each([
    ['enveloped-bearer', 'Bearer {key}'],
    ['prefixed-snake', 'ApiKey {key}'],
  ] as const)('is found at a service of the shape %s', async (shape, form) => {
    const { context, found } = await survey(shape);
    expect(found).toEqual({
      authorization: form,
      keysAreSwapped: undefined,
      bodies: [],
      captures: {},
      proxies: [],
    });
    expect(JSON.stringify(context.recorded)).not.toContain(context.target.keys.scoped);
  });

  it('is not looked for where the keys are taken, nor found for one that is no key', async () => {
    expect((await survey('reference')).found.authorization).toBeUndefined();
    const { context, found } = await survey('enveloped-bearer', () => ({
      keys: { scoped: 'pk_Nobody1234567' },
    }));
    expect(found.authorization).toBeUndefined();
    expect(context.recorded.length).toBeLessThan(40);
  });

  it('is found by the scheme that the refusal names', async () => {
    const server = await serveHttp((request, response) => {
      const isGood = request.headers.authorization === 'Shop-Key pk_ScopedAbc12345';
      const isOpen = !request.url?.includes('/open/');
      response.writeHead(isGood || isOpen ? 200 : 401, { 'www-authenticate': 'Shop-Key realm="shop"' });
      response.end('{}');
    });
    open.push(() => server.close());
    const context = await openContext(server.origin);
    open.push(() => context.client.close());
    const found = await surveyTarget(context, await runPreflight(context));
    expect(found.authorization).toBe('Shop-Key {key}');
  });
});

describe('the two keys', () => {
  it('are told apart', async () => {
    expect((await survey('reference')).found.keysAreSwapped).toBe(false);
    const swapped = await survey('reference', ({ scoped = '', unscoped = '' }) => ({
      keys: { scoped: unscoped, unscoped: scoped },
    }));
    expect(swapped.found).toMatchObject({ keysAreSwapped: true, bodies: [] });
  });

  it('are not accused where one is missing', async () => {
    const one = await survey('reference', ({ scoped = '' }) => ({ keys: { scoped } }));
    expect(one.found.keysAreSwapped).toBeUndefined();
  });
});

describe('bodies', () => {
  it('that nobody knows are asked for, and the service says what it misses', async () => {
    const { found } = await survey('reference');
    expect(found.bodies.map(({ operation, status, given }) => [operation, status, given])).toEqual([
      [ids.initiate, 400, false],
      [ids.consume, 400, false],
      [ids.create, 400, false],
      [ids.cancel, 400, false],
    ]);
    expect(found.bodies[2]?.says).toContain("must have required property 'merchant'");
  });

  it('that were given are tried, values that a login issued and the session id found; nothing stays open', async () => {
    const { context, found } = await survey('problem-terse', (keys) => ({
      keys,
      bodies: {
        [ids.initiate]: { shop: 'atelier-nord', back: 'https://shop.example/return' },
        [ids.consume]: { mark: 'made up', err: 'test-code' },
        [ids.create]: {
          shop: 'atelier-nord',
          back: 'https://shop.example/return',
          rows: [{ thing: 'linen-shirt', qty: 1 }],
        },
        [ids.cancel]: { note: 'a test' },
      },
    }));
    expect(found.bodies.map(({ status }) => status)).toEqual([200, 404, 200, 200]);
    expect(found.bodies[1]?.better).toMatchObject({ body: { mark: '{loginMark}', err: 'test-code' } });
    expect(found.bodies[2]?.sessionId).toEqual({ from: ids.create, pointer: '/handle' });
    expect(context.sessions.list()).toEqual([]);
  });

  it('are not sent in a read-only run', async () => {
    const service = await startService();
    open.push(() => service.close());
    const context = await openContext(service.baseUrl, {
      target: { keys: service.target.keys },
      context: { readOnly: true },
    });
    open.push(() => context.client.close());
    const found = await surveyTarget(context, await runPreflight(context));
    expect(found.bodies).toEqual([]);
    expect(context.recorded.every(({ request }) => request.method === 'GET')).toBe(true);
  });
});
