import { describe, expect, test } from 'vitest';
import { loadRequirements } from '../../spec/requirements.ts';
import { openCase, passedCase, violatedCase } from '../testing/sample-cases-for-tests.ts';
import { allGreen, hostile, sampleReport, sampleReports } from '../testing/sample-reports-for-tests.ts';
import { areaOf, matrixOf } from './grids.ts';
import { pageModelOf } from './page-model.ts';

const at = 'listPublicContactChannels';

describe('a cell is as bad as its worst case and leads to it', () => {
  const fails = violatedCase(at, 'auth/a');
  const results = [
    passedCase(at, 'auth/b', 'AUTH-1'),
    openCase(at, 'auth/c', 'why'),
    fails,
    openCase(at, 'scope/d', 'why'),
    passedCase(at, 'scope/e', 'SCOPE-2'),
    { ...openCase(at, 'rate/f', 'defect'), outcome: 'error' as const },
    violatedCase(at, 'login/g', { outcome: 'pass' }, { level: 'info', id: '0000000a' }),
    violatedCase(at, 'session/h', { outcome: 'warn', level: 'should' }, { level: 'should', id: '0000000b' }),
    passedCase(at, 'status/i', 'STATUS-1'),
  ];
  const { cellOf } = matrixOf(pageModelOf(sampleReport(results), []));
  test.each([
    ['auth', 'fail', fails.findings[0]?.id],
    ['scope', 'inconclusive', 'open-1'],
    ['rate', 'error', 'error-1'],
    ['login', 'pass', '0000000a'],
    ['session', 'warn', '0000000b'],
    ['status', 'pass', null],
    ['hygiene', 'not-run', null],
  ])('%s: %s', (area, outcome, anchor) => {
    expect(cellOf(at, area)).toMatchObject({ outcome, anchor });
  });
});

test.each(Object.entries(sampleReports))('no case of %s is missing from its cells', (_, report) => {
  const { areas, cellOf } = matrixOf(pageModelOf(report, []));
  const counted = report.operations
    .flatMap(({ id }) => areas.flatMap((area) => [...cellOf(id, area).counts.values()]))
    .reduce((sum, count) => sum + count, 0);
  expect(counted).toBe(report.results.length);
});

test('areas stand in the order of the requirements', async () => {
  const results = [
    passedCase(at, 'hygiene/a', 'HYGIENE-1'),
    passedCase(at, 'auth/a', 'AUTH-2'),
    passedCase(at, 'other/a', 'unknown'),
    passedCase(at, 'surface/a', 'SURFACE-1'),
  ];
  const model = pageModelOf(sampleReport(results), await loadRequirements());
  expect(matrixOf(model).areas).toEqual(['surface', 'auth', 'hygiene', 'other']);
});

test('each place on the page has an id of its own', () => {
  const same = violatedCase(at, 'auth/a');
  const { anchors } = pageModelOf(sampleReport([same, same, { ...same, findings: [] }]), []);
  expect(new Set(anchors.values()).size).toBe(5);
  expect(pageModelOf(allGreen, []).causes).toHaveLength(0);
  expect(pageModelOf(hostile, []).causes).toHaveLength(2);
  expect(pageModelOf(hostile, []).notes).toHaveLength(1);
});

test('a check without a slash is its own area', () => {
  expect(areaOf('plain')).toBe('plain');
});
