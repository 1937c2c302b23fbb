import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { addOperation } from '../../fixtures/mutators/add-operation.ts';
import { Problem } from '../../fixtures/reference-service/problem.ts';
import type { Alteration } from '../../fixtures/reference-service/service-parts.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import type { CaseResult, Report } from '../../harness/model/report.ts';
import { Contract } from '../../spec/contract.ts';
import type { ContractData } from '../../spec/operation.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { readContract } from '../../spec/read-contract.ts';
import { evaluateService, reportOn } from './evaluate-service.ts';

type Members = Record<string, unknown>;

const answer = (name: string): Members => ({ $ref: `#/components/responses/${name}` });
const body = (schema: string): Members => ({
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
});
const responses: Members = {
  '200': { description: 'Success.', ...body('OperationResponse') },
  '400': answer('BadRequest'),
  '401': answer('Unauthenticated'),
  '403': answer('Forbidden'),
  '404': answer('NotFound'),
  '409': answer('Conflict'),
  '429': answer('RateLimited'),
};
const inPath = (name: string): Members => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const keyed = [{ ApiKey: ['catalog:read'] }];

const added: Members = {
  '/api/v1/public/opening-hours': {
    get: { operationId: 'getOpeningHours', tags: ['storefront'], security: [], responses },
  },
  '/api/v1/open/vouchers/{voucherCode}': {
    get: {
      operationId: 'getVoucher',
      tags: ['vouchers'],
      security: keyed,
      parameters: [inPath('voucherCode')],
      responses: { ...responses, '410': { description: 'Expired.', ...body('PublicErrorResponse') } },
    },
  },
  '/api/v1/open/wishlists': {
    post: {
      operationId: 'createWishlist',
      'x-conformance-issues': 'wishlistId',
      tags: ['wishlists'],
      security: keyed,
      requestBody: { required: true, ...body('OperationResponse') },
      responses,
    },
  },
  '/api/v1/open/wishlists/{wishlistId}': {
    get: {
      operationId: 'getWishlist',
      tags: ['wishlists'],
      security: keyed,
      parameters: [inPath('wishlistId')],
      responses,
    },
  },
};

/** Codes of this length and more are expired, so that fuzzing meets the status that only this operation declares. */
const expired = 40;

function publish(): readonly Alteration[] {
  const wishlists = new Set<string>();
  const unknown = new Problem(404, 'There is no such resource.');
  return [
    addOperation({
      id: 'getOpeningHours',
      method: 'GET',
      path: '/api/v1/public/opening-hours',
      handle: () => ({ monday: '9-17' }),
    }),
    addOperation({
      id: 'getVoucher',
      method: 'GET',
      path: '/api/v1/open/vouchers/{voucherCode}',
      needsKey: true,
      scope: 'catalog:read',
      handle: ({ parameters: { voucherCode = '' } }) => {
        if (voucherCode === 'WELCOME') return { voucherCode, percent: 10 };
        if (voucherCode.length < expired) throw unknown;
        throw Object.assign(new Problem(404, 'The voucher expired.'), { status: 410, code: 'expired' });
      },
    }),
    addOperation({
      id: 'createWishlist',
      method: 'POST',
      path: '/api/v1/open/wishlists',
      needsKey: true,
      scope: 'catalog:read',
      objectTo: ({ title }) => (typeof title === 'string' ? undefined : 'A title is required.'),
      handle: () => {
        const wishlistId = `wl-${wishlists.size + 1}-${Math.random().toString(36).slice(2)}`;
        wishlists.add(wishlistId);
        return { wishlistId };
      },
    }),
    addOperation({
      id: 'getWishlist',
      method: 'GET',
      path: '/api/v1/open/wishlists/{wishlistId}',
      needsKey: true,
      scope: 'catalog:read',
      handle: ({ parameters: { wishlistId = '' } }) => {
        if (!wishlists.has(wishlistId)) throw unknown;
        return { wishlistId };
      },
    }),
  ];
}

const ids = ['getOpeningHours', 'getVoucher', 'createWishlist', 'getWishlist'];
const values = { bodies: { createWishlist: { title: 'summer' } } };

async function reportFor(
  contract: ContractData,
  {
    target = { ...values, parameters: { voucherCode: 'WELCOME' } },
    checks = [],
  }: { readonly target?: Members; readonly checks?: readonly string[] } = {},
): Promise<Report> {
  const service = await startService({ alter: publish() });
  try {
    const described = {
      ...service.target,
      ...target,
      bodies: { ...service.target.bodies, ...values.bodies },
    };
    const evaluated = await evaluateService(
      { ...service, target: described as typeof service.target },
      { options: { operations: ids, checks }, contract },
    );
    const shortfall = { interrupted: false, filtered: true };
    const ended = { startedAt: new Date().toISOString(), durationMs: 1, seed: 1, shortfall };
    return reportOn(service, new Contract(contract), evaluated, ended);
  } finally {
    await service.close();
  }
}

function outcomes(report: Report, outcome: CaseResult['outcome']): readonly string[] {
  return report.results
    .filter((result) => result.outcome === outcome)
    .map(({ operation, check }) => `${operation}/${check}`);
}

// At once, as they wait more than they work.
describe.concurrent('operations that are added to the contract', () => {
  let folder = '';
  let extended: ContractData;
  let report: Report;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'extended-contract-'));
    const document = parse(await readFile(join(packageRoot, 'spec', 'openapi.yaml'), 'utf8')) as Members;
    const file = join(folder, 'contract.yaml');
    await writeFile(file, stringify({ ...document, paths: { ...(document['paths'] as Members), ...added } }));
    extended = await readContract(file);
    report = await reportFor(extended);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('are planned, tested and reported without a false alarm', () => {
    expect(report.operations.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect(outcomes(report, 'fail')).toEqual([]);
    expect(outcomes(report, 'error')).toEqual([]);
    for (const id of ids) {
      expect(outcomes(report, 'pass'), id).toContain(`${id}/surface/valid-call-is-answered`);
    }
    expect(outcomes(report, 'pass')).toEqual(
      expect.arrayContaining([
        'getOpeningHours/auth/public-read-needs-no-credentials',
        'getVoucher/scope/missing-scope-is-forbidden',
        'getVoucher/resource/any-path-value-is-answered',
        'createWishlist/request/any-body-is-answered',
        'getWishlist/resource/unknown-resource-is-not-found',
      ]),
    );
  });

  it('may answer with an error status that they alone declare', () => {
    const seen = report.coverage.filter(
      ({ operation, status }) => operation === 'getVoucher' && status === 410,
    );
    expect(seen).toEqual([
      { operation: 'getVoucher', status: 410, observed: expect.any(Number), reason: null },
    ]);
    expect(
      report.coverage.some(({ operation, status }) => operation === 'getWishlist' && status === 410),
    ).toBe(false);
  });

  it('fail where they answer with an error status that they do not declare', async () => {
    const narrowed = extended.operations.map((operation) => ({
      ...operation,
      statuses: operation.statuses.filter((status) => status !== 410),
    }));
    const strict = await reportFor(
      { ...extended, operations: narrowed },
      { checks: ['status/*', 'resource/*'] },
    );
    expect(outcomes(strict, 'fail')).toContain('getVoucher/status/status-is-declared');
  });

  it('are not tested with a made-up path value, which is asked for by its name', async () => {
    const { results } = await reportFor(extended, { target: {}, checks: ['surface/*'] });
    const open = results.find(
      ({ operation, check }) => operation === 'getVoucher' && check === 'surface/valid-call-is-answered',
    );
    expect(open).toMatchObject({
      outcome: 'inconclusive',
      remedy: 'parameters: { getVoucher: { voucherCode: <one that exists> } }',
    });
  });
});
