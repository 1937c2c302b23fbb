import { expect, test } from 'vitest';
import { Contract, loadContract } from '../../../spec/contract.ts';
import { assembleReport, type RunRecord } from '../../results/assemble-report.ts';
import type { NamedReport } from './shard-problems.ts';
import { shardProblems } from './shard-problems.ts';

const contract = await loadContract();
const harness = { name: 'commerce-conformance', version: '1.2.3' };
const evidence = '0'.repeat(64);

function named(name: string, changed: Partial<RunRecord>): NamedReport {
  const report = assembleReport({
    harness,
    contract,
    baseUrl: 'https://staging.example.com',
    embedded: false,
    discovered: [],
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    seed: 1,
    options: {},
    results: [],
    coverage: [],
    traffic: { requests: 0, byStatus: {}, throttled: 0, latencyMs: { p50: 0, p95: 0, p99: 0 } },
    shortfall: { interrupted: false, filtered: false },
    ...changed,
  });
  return { name, report };
}

const shard = (index: number, of = 2, changed: Partial<RunRecord> = {}): NamedReport =>
  named(`s${index}`, { shard: { index, of, evidence }, ...changed });

function problems(...reports: readonly NamedReport[]): readonly string[] {
  return shardProblems(reports, harness, contract.digest);
}

test('all shards of one run can be merged, in any order', () => {
  expect(problems(shard(2), shard(1))).toEqual([]);
  expect(problems(shard(1, 1))).toEqual([]);
});

const otherContract = new Contract({ ...contract, digest: `sha256:${'1'.repeat(64)}` });
const unfinished = { index: 2, of: 2 };

test.each<{ given: readonly NamedReport[]; says: readonly string[] }>([
  { given: [shard(1)], says: ['shard 2 of 2 is missing'] },
  { given: [shard(2, 4)], says: ['shards 1, 3, 4 of 4 are missing'] },
  { given: [shard(1), shard(2), shard(2)], says: ['duplicate shard 2: s2 and s2'] },
  { given: [shard(1), shard(2), shard(3, 3)], says: ['s3 is shard 3 of 3, but s1 is one of 2'] },
  { given: [shard(1), named('w', {})], says: ['w is the report of a whole run, not of a shard'] },
  {
    given: [named('m', { shards: 3 })],
    says: ['m is the report of 3 shards that were merged already'],
  },
  { given: [shard(1), shard(2, 2, { seed: 9 })], says: ['s2 has the seed 9, but s1 has 1'] },
  {
    given: [shard(1), shard(2, 2, { baseUrl: 'https://other.example' })],
    says: ['s2 is about https://other.example, but s1 is about https://staging.example.com'],
  },
  {
    given: [shard(1), shard(2, 2, { harness: { ...harness, version: '1.2.4' } })],
    says: ['s2 was evaluated by commerce-conformance 1.2.4, this is commerce-conformance 1.2.3'],
  },
  {
    given: [shard(1), shard(2, 2, { contract: otherContract })],
    says: ['s2 was evaluated against another version of the contract'],
  },
  {
    given: [shard(1), shard(2, 2, { shard: unfinished })],
    says: ['s2: has no evidence, which the merge needs: run it again'],
  },
  {
    given: [shard(1), shard(2, 2, { shard: unfinished, shortfall: { interrupted: true, filtered: false } })],
    says: ['s2: was interrupted before its end: run it again'],
  },
  {
    given: [
      shard(1),
      shard(2, 2, {
        shard: unfinished,
        shortfall: { interrupted: false, filtered: false, defect: 'no disk\n    at write' },
      }),
    ],
    says: ['s2: did not finish: no disk'],
  },
])('$says', ({ given, says }) => {
  expect(problems(...given)).toEqual(says);
});
