import { afterEach, describe, expect, it } from 'vitest';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { openContext, type TestContext, type TestContextOptions } from '../calls/run-context-for-tests.ts';
import { serveHttp } from '../http/loopback-for-tests.ts';
import { discoverValues } from './discovery.ts';

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function contextOf(baseUrl: string, options: TestContextOptions = {}): Promise<TestContext> {
  const context = await openContext(baseUrl, options);
  open.push(() => context.client.close());
  return context;
}

/** A service that knows these paths and answers 404 to all others. */
async function serve(
  answers: Readonly<Record<string, unknown>>,
): Promise<{ origin: string; paths: string[] }> {
  const paths: string[] = [];
  const server = await serveHttp((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    paths.push(path);
    const found = Object.hasOwn(answers, path);
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(
      typeof answers[path] === 'string' ? answers[path] : JSON.stringify(found ? answers[path] : {}),
    );
  });
  open.push(() => server.close());
  return { origin: server.origin, paths };
}

const products = '/api/v1/catalog/products';
const merchants = '/api/v1/catalog/merchants';

describe('discoverValues', () => {
  it('finds on the reference service all that a user would have to give', async () => {
    const service = await startService();
    open.push(() => service.close());
    const context = await contextOf(service.baseUrl, { target: { keys: service.target.keys } });
    const found = await discoverValues(context);
    const wanted = context.contract.operations.flatMap(({ id, pathParameters }) =>
      pathParameters.filter((name) => name !== 'sessionId').map((name) => `${id} ${name}`),
    );
    expect(found.map(({ operation, name }) => `${operation} ${name}`).sort()).toEqual(wanted.sort());
    const product = context.known.value(context.operation(ids.product), 'slug');
    expect(product).toEqual({ value: expect.any(String), source: 'discovered' });
  });

  it('finds what few hints there are, and says where', async () => {
    const { origin } = await serve({
      [products]: [{ id: 'gone' }, { id: 'münster-mug' }],
      [`${products}/münster-mug`]: {},
    });
    const context = await contextOf(origin);
    expect(await discoverValues(context)).toEqual([
      { operation: ids.product, name: 'slug', value: 'münster-mug', from: ids.products },
    ]);
    expect(context.known.value(context.operation(ids.merchant), 'slug')).toBeUndefined();
  });

  it('asks nothing where the user gave one value for each', async () => {
    const { origin, paths } = await serve({});
    const given = { slug: 'a', merchantSlug: 'a', productSlug: 'a', store: 'a' };
    expect(await discoverValues(await contextOf(origin, { target: { parameters: given } }))).toEqual([]);
    expect(paths).toEqual([]);
  });

  it('finds out which of two given values an operation means', async () => {
    const { origin } = await serve({ [`${products}/linen`]: {}, [`${merchants}/nord`]: {} });
    const parameters = { slug: 'nord', productSlug: 'linen', merchantSlug: 'nord', store: 'nord' };
    const context = await contextOf(origin, { target: { parameters } });
    await discoverValues(context);
    const used = (id: string): unknown => context.known.value(context.operation(id), 'slug');
    expect(used(ids.product)).toEqual({ value: 'linen', source: 'target-file' });
    expect(used(ids.merchant)).toEqual({ value: 'nord', source: 'target-file' });
  });

  it('never replaces a value that the user gave, though it does not work', async () => {
    const { origin } = await serve({ [products]: [{ slug: 'linen' }], [`${products}/linen`]: {} });
    const operationParameters = { [ids.product]: { slug: 'given' } };
    const context = await contextOf(origin, { target: { operationParameters } });
    await discoverValues(context);
    expect(context.known.value(context.operation(ids.product), 'slug')?.value).toBe('given');
  });

  it('finds a product together with its merchant', async () => {
    const { origin } = await serve({
      [products]: [
        { slug: 'a', merchant: 'one' },
        { slug: 'b', merchant: 'two' },
      ],
      [`${merchants}/one/products/b`]: {},
    });
    const context = await contextOf(origin);
    const found = await discoverValues(context);
    expect(found.filter(({ operation }) => operation === ids.merchantProduct)).toMatchObject([
      { name: 'merchantSlug', value: 'one' },
      { name: 'productSlug', value: 'b' },
    ]);
  });

  it('tries a bounded number of values', async () => {
    const listing = Array.from({ length: 500 }, (_, at) => ({ slug: `p${at}`, id: at, merchant: `m${at}` }));
    const { origin, paths } = await serve({ [products]: listing });
    await discoverValues(await contextOf(origin));
    expect(paths.length).toBeLessThan(9 * 16 + 4 + 1);
  });

  it.each([
    ['no JSON', '<html>'],
    ['null', null],
    ['a text', 'linen'],
    ['texts', ['a', 'b']],
    ['hostile names', [{ slug: '../../admin', id: '%2e%2e', name: 'a b', key: '' }]],
  ])('finds nothing in a listing that is %s, and does no harm', async (_what, listing) => {
    const { origin, paths } = await serve({ [products]: listing });
    expect(await discoverValues(await contextOf(origin))).toEqual([]);
    expect(paths.every((path) => !path.includes('..'))).toBe(true);
  });

  it('bears a listing of any depth', async () => {
    const { origin } = await serve({ [products]: '['.repeat(50_000) + ']'.repeat(50_000) });
    expect(await discoverValues(await contextOf(origin))).toEqual([]);
  });

  it('gives every exchange an id of its own', async () => {
    const { origin } = await serve({ [products]: [{ slug: 'a' }, { slug: 'b' }, { slug: 'c' }] });
    const context = await contextOf(origin);
    await discoverValues(context);
    const ids = context.recorded.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
