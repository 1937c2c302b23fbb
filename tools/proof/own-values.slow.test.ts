import { afterAll, describe, expect, it } from 'vitest';
import { changeAnswers } from '../../fixtures/mutators/change-answers.ts';
import type { Call } from '../../fixtures/reference-service/call.ts';
import { Problem } from '../../fixtures/reference-service/problem.ts';
import { type RunningService, startService } from '../../fixtures/reference-service/start-service.ts';
import { evaluateAndVerify, evaluateService } from './evaluate-service.ts';

const product = 'getPublicProduct';
const login = 'initiateHostedLogin';
type Tested = typeof product | typeof login;
const values = [
  { in: 'slug', value: 'summer sale/25', operation: product },
  { in: 'header', value: 'X-Tenant: acme' },
  { in: 'query', value: 'preview=1' },
  { in: 'body', value: { returnUrl: 'shop://return' }, operation: login },
];

const open: RunningService[] = [];
afterAll(async () => {
  for (const service of open) await service.close();
});

async function serviceThatFails(operation: Tested, where: (call: Call) => boolean): Promise<RunningService> {
  const started = await startService({
    alter: [
      (parts) =>
        changeAnswers(parts, { operation }, (answer, call) =>
          where(call) ? { ...parts.renderError(new Problem(400, 'Sorry.'), call), status: 500 } : answer,
        ),
    ],
  });
  open.push(started);
  const target = { ...started.target, values };
  return { ...started, target };
}

const faults: ReadonlyArray<readonly [string, Tested, string, (call: Call) => boolean]> = [
  [
    'path',
    product,
    'resource/any-path-value-is-answered',
    ({ parameters }) => parameters['slug'] === 'summer sale/25',
  ],
  [
    'header',
    product,
    'client/any-client-is-answered',
    ({ request }) => request.headers['x-tenant'] === 'acme',
  ],
  ['query', product, 'client/any-client-is-answered', ({ query }) => query.get('preview') === '1'],
  [
    'body',
    login,
    'request/any-body-is-answered',
    ({ rawBody }) => rawBody?.includes('shop://return') === true,
  ],
];

// At once, as they wait more than they work: a run spreads its calls over seconds.
describe.concurrent('a value of the target file', () => {
  it.each(faults)('is sent in the %s', async (_place, operation, check, where) => {
    const service = await serviceThatFails(operation, where);
    const { results } = await evaluateService(service, {
      options: { operations: [operation], checks: [check], fuzzRuns: 0 },
    });
    expect(results.find((one) => one.check === check)).toMatchObject({ outcome: 'fail' });
  });

  it('is sent where it fits, and a verification follows', async () => {
    const service = await serviceThatFails(product, () => false);
    const options = {
      checks: ['request/any-body-is-answered', 'client/any-client-is-answered'],
      fuzzRuns: 0,
    };
    const sent: string[] = [];
    const { problems } = await evaluateAndVerify(service, options, ({ label }) => sent.push(label));
    expect(problems).toEqual([]);
    expect(sent).toContain('a body of the target file');
    expect(sent.filter((label) => label === 'a query of the target file')).toHaveLength(25);
    expect(sent.filter((label) => label.endsWith('a value of the target file'))).toEqual([]);
  });
});
