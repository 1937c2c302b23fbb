import { afterAll, describe, expect, it } from 'vitest';
import { requireQuery } from '../../fixtures/mutators/require-query.ts';
import { type RunningService, startService } from '../../fixtures/reference-service/start-service.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { Run } from '../../harness/engine/run/run.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { documentFrom } from '../../harness/openapi/load-document.ts';
import { defaultOptions } from '../../harness/target/default-options.ts';
import { targetFromObject } from '../../harness/target/target-description.ts';
import { evaluateService } from './evaluate-service.ts';

const operation = 'searchPublicProducts';
/** Without the checks that spread their calls over seconds. */
const options = { operations: [operation], checks: ['!(client)/*'] };
const open: RunningService[] = [];
afterAll(async () => {
  for (const service of open) await service.close();
});

async function service(target: object = {}): Promise<RunningService> {
  const started = await startService({ alter: [(parts) => requireQuery(parts, operation, 'q')] });
  open.push(started);
  return { ...started, target: { ...started.target, ...target } };
}

// At once, as they wait more than they work.
describe.concurrent('a query that a target requires', () => {
  it('leaves open what a target refuses without a query, and says which line tests it', async () => {
    const { results } = await evaluateService(await service(), { options });
    expect(results.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    expect(results.find(({ check }) => check === 'surface/valid-call-is-answered')).toMatchObject({
      outcome: 'inconclusive',
      remedy: 'query: { searchPublicProducts: { <name>: <value> } }',
    });
  });

  it('sends the query of the target file with every valid call', async () => {
    const seen: Exchange[] = [];
    const target = { query: { [operation]: { q: 'linen & wool' } } };
    const { results } = await evaluateService(await service(target), {
      options,
      observe: (one) => seen.push(one),
    });
    expect(results.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    const passed = results.filter(({ outcome }) => outcome === 'pass').map(({ check }) => check);
    expect(passed).toContain('surface/valid-call-is-answered');
    const sent = seen.filter((one) => one.operation === operation && one.role === 'control');
    expect(new Set(sent.map(({ request }) => request.path))).toEqual(
      new Set(['/api/v1/search?q=linen+%26+wool']),
    );
  });

  it('takes the query that a supplied document requires', async () => {
    const { contract } = await loadCatalogue();
    const parameters = [
      { name: 'q', in: 'query', required: true, schema: { type: 'string', example: 'shirt' } },
    ];
    const content = { openapi: '3.1.0', paths: { '/api/v1/search': { get: { parameters, responses: {} } } } };
    const document = await documentFrom(content, 'openapi.yaml', contract);
    const { results } = await evaluateService(await service(), { options, document });
    const passed = results.filter(({ outcome }) => outcome === 'pass').map(({ check }) => check);
    expect(passed).toContain('surface/valid-call-is-answered');
  });

  it('is asked for by a survey', async () => {
    const { contract } = await loadCatalogue();
    const target = targetFromObject((await service()).target, 'test', contract);
    const run = await Run.open({ target, options: { ...defaultOptions, ...options } });
    try {
      await run.survey();
      expect([...run.outlook().values()].map(({ need }) => need.line)).toEqual([
        { at: ['query', operation], value: '{ … }' },
      ]);
    } finally {
      await run.close();
    }
  });

  it.each([
    [{ query: { searchProducts: { q: 'a' } } }, 'unknown operation "searchProducts"'],
    [{ query: { [operation]: { q: 1 } } }, 'query.searchPublicProducts.q must be text'],
    [{ query: { [operation]: 'q=a' } }, 'query.searchPublicProducts must be a map'],
  ])('refuses %j', async (given, message) => {
    const { contract } = await loadCatalogue();
    const read = (): unknown => targetFromObject({ baseUrl: 'http://host', ...given }, 'test', contract);
    expect(read).toThrow(message);
  });
});
