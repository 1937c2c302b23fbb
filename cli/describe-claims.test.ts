import { expect, it } from 'vitest';
import type { Claims } from '../harness/certification/claims.ts';
import { describeClaims } from './describe-claims.ts';

const claims = {
  baseUrl: 'https://shop.example',
  harness: '',
  runId: '',
  issuedAt: '',
  expiresAt: '',
  connection: null,
  peers: {
    addresses: [],
    certificates: [
      {
        sha256: 'a1',
        names: `${'DNS:shop.example, '.repeat(50)}DNS:other.example`,
        issuer: 'CN=Some CA',
        validUntil: '2027-01-01T00:00:00.000Z',
      },
    ],
  },
  window: null,
  options: { allowProxy: `http://${'a'.repeat(400)}.example`, concurrency: 400 },
  sent: {
    authorization: 'Shop {key}',
    headers: ['x-'.padEnd(400, 'y'), 'x-shop-mode'],
    query: { searchPublicProducts: { a: `${'x'.repeat(400)}&test-mode=1`, q: 'shirt' } },
    documentQuery: { listPublicProducts: { mode: 'strict' } },
  },
  documents: [{ sha256: 'd1', source: 'shop.yaml' }],
  exclusions: [],
  customChecks: [],
  notApplicable: [{ reason: 'no document was supplied', tests: 2 }],
  traffic: { requests: 3, byStatus: { 200: 2, 403: 1 }, blocked: { getPublicProduct: 1 } },
  passedTests: 1,
  untestedTests: 0,
  warnings: Array.from({ length: 30 }, (_, at) => ({
    test: `a/b/${at}`,
    requirement: 'URL-1',
    message: 'wrong',
  })),
  spotCheck: null,
} as unknown as Claims;

it('prints each option, each part of a server certificate, all that is added to requests and all warnings, however long the others are', () => {
  const lines = describeClaims(claims).split('\n');
  for (const line of [
    '                 concurrency: 400',
    '  authorization  Shop {key}',
    '                 sent with every request: x-shop-mode',
    '                 searchPublicProducts q: "shirt"',
    '  its queries    listPublicProducts mode: "strict"',
    '  document       sha256:d1',
    '                 from shop.yaml',
    '                 issued by CN=Some CA',
    '                 until 2027-01-01T00:00:00.000Z',
    '                 URL-1 a/b/29: wrong',
    '  not applicable 2 must tests: no document was supplied',
    '  responses      200: 2, 403: 1',
    '  firewall       answered 1 call of getPublicProduct with 403',
  ])
    expect(lines).toContain(line);
});

it('prints the end of a long claim', () => {
  const printed = describeClaims(claims);
  for (const end of ['&test-mode=1"', 'DNS:other.example'])
    expect(printed).toMatch(new RegExp(`^ {17}… .*${end}$`, 'm'));
});
