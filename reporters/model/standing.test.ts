import { expect, test } from 'vitest';
import type { CaseResult, Report } from '../../harness/model/report.ts';
import { inapplicableCase, openCase, passedCase, violatedCase } from '../testing/sample-cases-for-tests.ts';
import { sampleReport } from '../testing/sample-reports-for-tests.ts';
import type { Standing } from './marks.ts';
import { standingsOf } from './standing.ts';

const operation = 'getPublicBootstrap';
const passed = passedCase(operation, 'a/passes', 'SURFACE-1');
const open = openCase(operation, 'a/open', 'no luck');
const failed = violatedCase(operation, 'a/fails');
const warned: CaseResult = { ...failed, outcome: 'warn', level: 'should' };
const broken: CaseResult = { ...open, outcome: 'error' };

function standing(
  results: readonly CaseResult[],
  options: Report['run']['options'] = {},
): Standing | undefined {
  const { run } = sampleReport([]);
  const report = sampleReport(results, { run: { ...run, options } });
  return standingsOf(report).find((row) => row.operation.id === operation)?.standing;
}

test.each<[Standing, readonly CaseResult[]]>([
  ['conforms', [passed]],
  ['conforms', [passed, warned]],
  ['conforms', [passed, { ...open, level: 'should' }]],
  ['partly-tested', [passed, open]],
  ['not-tested', [open]],
  ['not-tested', [inapplicableCase(operation, 'a/other')]],
  ['not-run', []],
  ['fails', [passed, open, failed, broken]],
  ['harness-error', [passed, broken]],
])('an operation %s', (expected, results) => {
  expect(standing(results)).toBe(expected);
});

test('no operation conforms where checks or shards were left out', () => {
  expect(standing([passed], { check: ['auth/*'] })).toBe('partly-run');
  expect(standing([passed], { shard: '1/2' })).toBe('partly-run');
  expect(standing([failed], { shard: '1/2' })).toBe('fails');
  expect(standing([passed], { check: [], shard: null })).toBe('conforms');
});
