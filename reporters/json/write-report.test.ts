import { describe, expect, test } from 'vitest';
import type { Report } from '../../harness/model/report.ts';
import { withBaseline } from '../../harness/results/baseline/with-baseline.ts';
import {
  allGreen,
  incomplete,
  oneFailure,
  sampleReport,
  sampleReports,
} from '../testing/sample-reports-for-tests.ts';
import { parseReport, ReportFormatError, serialiseReport } from './write-report.ts';

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof ReportFormatError) return error.message;
    throw error;
  }
  return 'accepted';
}

function changed(change: object, report: Report = allGreen): string {
  return JSON.stringify({ ...report, ...change });
}

describe.each(Object.entries(sampleReports))('the sample %s', (_, report) => {
  test('is read as it was written', () => {
    expect(parseReport(serialiseReport(report))).toEqual(report);
  });
});

test('every truncation is refused', () => {
  const text = serialiseReport(sampleReport(oneFailure.results.slice(-3), { ...oneFailure, ...recount() }));
  for (let length = 0; length < text.trimEnd().length; length += 97) {
    expect(refusal(() => parseReport(text.slice(0, length)))).toMatch(/^Not a (whole )?report: /);
  }
});

function recount(): Partial<Report> {
  const results = oneFailure.results.slice(-3);
  return { results, summary: { pass: 1, fail: 1, warn: 1, inconclusive: 0, notApplicable: 0, error: 0 } };
}

test.each([
  ['', 'Not a report: the file is empty.'],
  ['PASS', 'Not a report: the file is not JSON.'],
  ['{"a":', 'Not a whole report: the JSON is cut off or damaged. Run again to write it anew.'],
  ['null', 'Not a report of commerce-conformance: the file has no schemaVersion.'],
  ['[]', 'Not a report of commerce-conformance: the file has no schemaVersion.'],
  ['{"tests":3}', 'Not a report of commerce-conformance: the file has no schemaVersion.'],
])('the foreign file %j is refused', (text, message) => {
  expect(refusal(() => parseReport(text))).toBe(message);
});

test('an unknown version is named', () => {
  expect(refusal(() => parseReport(changed({ schemaVersion: '2.0' })))).toBe(
    'This report has schemaVersion "2.0"; this version reads 1.0 and 1.1. Read it with the version that wrote it.',
  );
  expect(refusal(() => parseReport(changed({ schemaVersion: { a: '\x1b[2J' } })))).not.toContain('\x1b');
});

test.each<[name: string, text: string, message: RegExp]>([
  ['a missing field', changed({ summary: undefined }), /'summary'/],
  ['an unknown field', changed({ 'extra\x1b': 1 }), /must NOT have additional properties \(extra\\x1b\)/],
  ['an unknown verdict', changed({ verdict: 'fine' }), /\/verdict must be equal/],
  [
    'lost results',
    changed({ results: allGreen.results.slice(5) }),
    /summary\.pass is 250, but results hold 245/,
  ],
  [
    'a whitewashed verdict',
    changed({ verdict: 'conformant' }, oneFailure),
    /verdict is conformant, but 1 of the/,
  ],
  ['a hidden failure', changed({ verdict: 'incomplete' }, oneFailure), /verdict is incomplete, but 1 of the/],
  ['a hasty verdict', changed({ verdict: 'conformant' }, incomplete), /complete is false/],
  ['a lost operation', changed({ operations: allGreen.operations.slice(1) }), /getPublicRuntimeConfig/],
])('%s is refused', (_, text, message) => {
  expect(refusal(() => parseReport(text))).toMatch(/^Not a valid report: /);
  expect(refusal(() => parseReport(text))).toMatch(message);
});

test('a report that could not be read again is not written', () => {
  const broken = { ...allGreen, run: { ...allGreen.run, durationMs: Number.NaN } };
  expect(refusal(() => serialiseReport(broken))).toMatch(/^The report was not written.*\/run\/durationMs/);
});

test('a byte order mark does no harm', () => {
  expect(parseReport(`\ufeff${serialiseReport(allGreen)}`).verdict).toBe('conformant');
});

describe('a report with a baseline', () => {
  const id = oneFailure.results.find(({ outcome }) => outcome === 'fail')?.findings[0]?.id ?? '';
  const acceptance = { reason: 'why', owner: 'team', expires: '2026-12-31' };
  const baseline = {
    file: 'b.yaml',
    digest: `sha256:${'0'.repeat(64)}`,
    accepted: [{ finding: id, ...acceptance }],
  };
  const report = withBaseline(oneFailure, baseline, '2026-11-21');

  test('is read as it was written', () => {
    expect(report.baseline?.passed).toBe(true);
    expect(parseReport(serialiseReport(report))).toEqual(report);
  });

  test.each([
    [{ baseline: undefined }, 'findings are accepted, but no baseline is named'],
    [
      { baseline: { ...report.baseline, accepted: 2 } },
      'baseline.accepted is 2, but 1 findings are accepted',
    ],
    [
      { baseline: { ...report.baseline, unaccepted: ['ffffffff'] } },
      'baseline.passed is true, but something',
    ],
    [
      { results: oneFailure.results, baseline: { ...report.baseline, accepted: 0 } },
      'baseline.passed is true',
    ],
  ])('that contradicts itself is refused', (change, why) => {
    expect(refusal(() => parseReport(changed(change, report)))).toContain(why);
  });
});
