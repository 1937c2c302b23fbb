import { expect, test } from 'vitest';
import type { CaseResult, Report } from '../../harness/model/report.ts';
import { passedCase, sampleFinding, violatedCase } from '../testing/sample-cases-for-tests.ts';
import { sampleReport } from '../testing/sample-reports-for-tests.ts';
import { type Violation, violationsOf } from './root-causes.ts';

const operation = 'getPublicBootstrap';
const check = 'a/b';

function split(result: CaseResult, options: Report['run']['options'] = {}): Record<string, string[]> {
  const { run } = sampleReport([]);
  const { failures, warnings, notes } = violationsOf(sampleReport([result], { run: { ...run, options } }));
  const levels = (list: readonly Violation[]): string[] => list.map(({ level }) => level);
  return { failures: levels(failures), warnings: levels(warnings), notes: levels(notes) };
}

const mixed: CaseResult = {
  ...violatedCase(operation, check),
  findings: [
    sampleFinding(operation, check),
    sampleFinding(operation, check, { level: 'should' }),
    sampleFinding(operation, check, { level: 'info' }),
  ],
};

test('the findings of one case go where their clauses belong', () => {
  expect(split(mixed)).toEqual({ failures: ['must'], warnings: ['should'], notes: ['info'] });
  expect(split(mixed, { strict: true })).toEqual({
    failures: ['must', 'should'],
    warnings: [],
    notes: ['info'],
  });
});

test('a failed or warned case is never left unsaid', () => {
  const bare = { ...mixed, findings: [] };
  expect(split(bare)).toEqual({ failures: ['must'], warnings: [], notes: [] });
  expect(split({ ...bare, outcome: 'warn', level: 'should' })).toEqual({
    failures: [],
    warnings: ['should'],
    notes: [],
  });
  const should = { ...mixed, findings: [sampleFinding(operation, check, { level: 'should' })] };
  expect(split(should)).toEqual({ failures: ['should'], warnings: [], notes: [] });
});

test('a finding of a passed case is noted', () => {
  const passed = {
    ...passedCase(operation, check, 'RATE-3'),
    findings: [sampleFinding(operation, check, { level: 'info' })],
  };
  expect(split(passed)).toEqual({ failures: [], warnings: [], notes: ['info'] });
});
