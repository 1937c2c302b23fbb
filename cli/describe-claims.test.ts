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
  peers: null,
  window: null,
  options: { allowProxy: `http://${'a'.repeat(400)}.example`, concurrency: 400 },
  sent: {
    authorization: 'Shop {key}',
    headers: ['x-'.padEnd(400, 'y'), 'x-shop-mode'],
    query: { searchPublicProducts: { q: 'shirt' } },
  },
  exclusions: [],
  customChecks: [],
  passedTests: 1,
  untestedTests: 0,
  warnings: [],
  spotCheck: null,
} as unknown as Claims;

it('prints each option, and all that is sent with every request, however long the others are', () => {
  const lines = describeClaims(claims).split('\n');
  for (const line of [
    '                 concurrency: 400',
    '  authorization  Shop {key}',
    '                 sent with every request: x-shop-mode',
    '  queries        searchPublicProducts: {"q":"shirt"}',
  ])
    expect(lines).toContain(line);
});
