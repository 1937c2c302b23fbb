import { describe, expect, test } from 'vitest';
import { passedCase, passedCases, violatedCase } from '../../reporters/testing/sample-cases-for-tests.ts';
import { sampleReport } from '../../reporters/testing/sample-reports-for-tests.ts';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import type { Additional, CaseResult, Report } from '../model/report.ts';
import { exitCodeOf } from './exit-code.ts';
import { summarise } from './verdict.ts';

const held = passedCase(ids.identity, 'own/a', 'OWN-A-1');
const failed = violatedCase(ids.identity, 'own/a');
const broken: CaseResult = { ...held, outcome: 'error' };
const additional = (results: readonly CaseResult[]): Additional => ({
  folder: 'checks',
  requirements: [],
  results,
  summary: summarise(results),
});
const nonConformant = { verdict: 'non-conformant' } as const;
const dead = { run: { ...sampleReport([]).run, unreachable: 'no answer' } };
const untested = passedCases.map((result): CaseResult => ({ ...result, outcome: 'inconclusive' }));

test.each<[string, boolean, Partial<Report['run']>, number]>([
  ['of a complete run', true, { options: { failIncomplete: true } }, 0],
  ['of an incomplete run', false, { options: { failIncomplete: true } }, 3],
  ['of an incomplete run without the flag', false, { options: {} }, 0],
  ['of a shard', false, { options: { failIncomplete: true }, shard: { index: 1, of: 2 } }, 0],
])('the exit code with --fail-incomplete %s', (_, complete, run, exit) => {
  const verdict = complete ? 'conformant' : 'incomplete';
  const report = sampleReport(passedCases, { complete, verdict });
  expect(exitCodeOf({ ...report, run: { ...report.run, ...run } }, false)).toBe(exit);
});

describe('checks of the user in the exit code', () => {
  test.each<[string, readonly CaseResult[], Partial<Report>, readonly CaseResult[], number]>([
    ['that hold', passedCases, {}, [held], 0],
    ['one of which fails', passedCases, {}, [held, failed], 1],
    ['one of which throws', passedCases, {}, [held, broken], 4],
    ['that hold, where one of ours fails', passedCases, nonConformant, [held], 1],
    ['that throw, where one of ours fails', passedCases, nonConformant, [broken], 1],
    ['that fail, where the harness does', passedCases, { verdict: 'error' }, [failed], 4],
    ['that fail, where the target died', passedCases, dead, [failed], 3],
    ['that hold, where ours tested nothing', untested, {}, [held], 3],
    ['alone, that hold', [], {}, [held], 0],
    ['alone, that fail', [], {}, [failed], 1],
    ['alone, that throw', [], {}, [broken], 4],
    ['alone, that tested nothing', [], {}, [{ ...held, outcome: 'inconclusive' }], 3],
  ])('%s', (_, ours, change, own, exit) => {
    expect(exitCodeOf(sampleReport(ours, { ...change, additional: additional(own) }), false)).toBe(exit);
  });
});
