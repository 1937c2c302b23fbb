import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { test } from '../e2e/in-process-for-tests.ts';
import { obstacles } from '../harness/certification/certifiable.ts';
import { claimsOf } from '../harness/certification/claims.ts';
import { type CertifiedRun, statementOf } from '../harness/certification/statement.ts';
import { isLoopbackUrl } from '../harness/certification/target-obstacles.ts';
import { defaultOptions } from '../harness/target/default-options.ts';
import { loadContract } from '../spec/contract.ts';

const contract = await loadContract();

describe('run --certify', () => {
  test('refuses a limit that a conforming service may reach, and sends nothing', async ({
    folder,
    startCountingServer,
    refused,
  }) => {
    const server = await startCountingServer();
    await writeFile(
      join(folder, 'target.yaml'),
      `baseUrl: ${server.baseUrl}\noptions: { maxRequests: 2000 }\n`,
    );
    const ofFile = ['run', '--certify', '--target', 'target.yaml'];
    for (const args of [ofFile, [...ofFile, '--max-requests', '3000']]) {
      await refused(args, /--max-requests \d000 may be too few: \d{4} suffice/, {
        COMMERCE_KEY: 'some-good-key',
      });
    }
    expect(server.requests).toBe(0);
  });

  it.each([
    [7, undefined, true],
    [8, undefined, false],
    [8, 2, true],
    [16, 2, false],
  ])('allows for %i concurrent requests in %s shards or not: %s', (concurrency, shards, isRefused) => {
    const options = { ...defaultOptions, operations: [], checks: [], concurrency };
    expect(obstacles({ options, target: { exclusions: [] }, contract, shards, given: {} })).toEqual(
      isRefused ? [expect.stringContaining('--concurrency is below 8')] : [],
    );
  });

  it.each([
    [3.9, undefined, true],
    [4, undefined, false],
    [4, 2, true],
    [8, 2, false],
  ])('allows for %d requests per second in %s shards or not: %s', (rate, shards, isRefused) => {
    const given = { rate };
    expect(
      obstacles({
        options: { ...defaultOptions, concurrency: 16 },
        target: { exclusions: [] },
        contract,
        shards,
        given,
      }),
    ).toEqual(isRefused ? [expect.stringContaining('--rate is below 4')] : []);
  });

  it.each([
    ['searchPublicProducts', false],
    ['getPublicProduct', true],
    ['getApiKeyIdentity', true],
  ])('refuses a query of the target file where the contract shows no parameters: %s', (id, isRefused) => {
    const target = { exclusions: [], query: { [id]: { view: 'full' } } };
    expect(obstacles({ options: defaultOptions, target, contract, given: {} })).toEqual(
      isRefused ? [expect.stringContaining(`gives a query to ${id}`)] : [],
    );
  });

  it.each([
    ['ip6-localhost', true],
    ['ip6-loopback', true],
    ['[::127.0.0.1]', true],
    ['[::ffff:0:127.0.0.1]', true],
    ['[64:ff9b::7f00:1]', true],
    ['[64:ff9b::8f00:1]', false],
    ['[64:ff9b:1::127.0.0.1]', true],
    ['[64:ff9b:1:2:3:4:127.0.0.1]', true],
    ['[2002:7f00:1::]', true],
    ['[2002:7f00:1::5]', true],
    ['[2002:c000:201::]', false],
    ['[::ffff:0:0:0]', true],
    ['[::1]', true],
    ['[::]', true],
    ['[::2]', false],
    ['[::ffff:10.0.0.1]', false],
    ['localhost.localdomain', true],
    ['localhost6', true],
    ['localhost4.localdomain4', true],
    ['loopback', true],
    ['loopback.example', false],
    ['localhost.localdomain.example', false],
    ['ip6-localhost.example', false],
  ])('knows whether %s is on loopback', (host, isLocal) => {
    expect(isLoopbackUrl(`http://${host}:8080`)).toBe(isLocal);
  });
});

it('claims the OpenAPI document, and the queries that it requires', () => {
  const found = { name: 'searchPublicProducts.query', value: 'q=a+shirt&mode=strict', from: 'shop.yaml' };
  const slug = { name: 'getPublicProduct.slug', value: 'shirt', from: 'listPublicProducts' };
  const certified = {
    report: {
      run: { options: {}, durationMs: 0 },
      target: { discovered: [slug, found] },
      traffic: {},
      results: [],
    },
    run: {
      harness: {},
      contract: '',
      options: {},
      target: { headers: [], exclusions: [] },
      document: { digest: 'sha256:d1', source: 'shop.yaml' },
    },
    digests: {},
  } as unknown as CertifiedRun;
  const claims = claimsOf(statementOf(certified), undefined, undefined);
  expect(claims.sent.documentQuery).toEqual({ searchPublicProducts: { q: 'a shirt', mode: 'strict' } });
  expect(claims.documents).toEqual([{ sha256: 'd1', source: 'shop.yaml' }]);
});
