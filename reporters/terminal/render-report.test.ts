import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../harness/model/report.ts';
import { openCase, sampleReproduction, violatedCase } from '../testing/sample-cases.ts';
import {
  allGreen,
  harnessError,
  hostile,
  incomplete,
  interrupted,
  oneCause,
  oneFailure,
  sampleReport,
  sampleReports,
} from '../testing/sample-reports.ts';
import { textWidth } from './columns.ts';
import { renderFindings, renderWarnings } from './findings.ts';
import { renderInconclusive } from './inconclusive.ts';
import { renderOperations } from './operations-table.ts';
import { renderReport } from './render-report.ts';
import { renderVerdict } from './verdict.ts';

const plain = { colour: false, width: 80, reportPath: 'conformance-report/report.json' };

function printed(report: Report, width: number = 80, colour: boolean = false): string {
  return renderReport(report, { ...plain, width, colour });
}

function isToBeCopied(line: string): boolean {
  return /^\s+(curl|parameters:|new\\t)/.test(line);
}

describe.each(Object.entries(sampleReports))('the sample %s', (_, report) => {
  test.each([80, 120])('fits %i columns but for lines to be copied', (width) => {
    for (const line of printed(report, width).split('\n')) {
      if (!isToBeCopied(line)) expect(textWidth(line), line).toBeLessThanOrEqual(width);
    }
  });

  test('holds no control character without colour, and the same text with it', () => {
    const text = printed(report);
    expect(text).not.toMatch(/[^\P{C}\n]/u);
    expect(stripVTControlCharacters(printed(report, 80, true))).toBe(text);
  });

  test('begins with the verdict and ends with the figures', () => {
    const lines = printed(report).split('\n');
    expect(lines[0]).toMatch(new RegExp(`^\\S ${report.verdict}[ ,]`));
    expect(lines.at(-2)).toBe('  report      conformance-report/report.json');
    expect(printed(report)).not.toMatch(/: undefined|NaN|\[object|\n\n\n/);
  });

  test('lists every operation once in its table', () => {
    const table = renderOperations(report, plain);
    for (const { id } of report.operations)
      expect(table.split(`${id} `.trimEnd()).length, id).toBeGreaterThan(1);
    expect(table.split('\n').filter((line) => /^ {2}[✓✗?E-] /.test(line))).toHaveLength(25);
  });
});

test('a finding reads as the design says', () => {
  expect(renderFindings(oneFailure, plain).split('\n').slice(2, 7)).toEqual([
    'AUTH-3 must  createHostedCheckoutSession: an unknown key is refused',
    '  expected 401, got 200',
    '  contract: Authentication, rule 4',
    '  seen in 3 of 3 tries · seed 7 · finding 47a85246',
    `  ${sampleReproduction}`,
  ]);
});

test('the shell line survives at any width, with and without colour', () => {
  for (const width of [40, 80, 120]) {
    expect(printed(oneFailure, width)).toContain(sampleReproduction);
    expect(printed(oneFailure, width, true)).toContain(sampleReproduction);
  }
});

test('an intermittent violation says so', () => {
  expect(renderWarnings(oneFailure, plain)).toContain('intermittent, seen in 1 of 40 tries · seed 7');
});

test('notes have their place and no weight', () => {
  expect(renderWarnings(oneFailure, plain)).toContain(
    'RATE-3 info  listPublicProducts: a 429 carried the undeclared Retry-After',
  );
});

test('one cause is told once, with one line for each operation', () => {
  const text = renderFindings(oneCause, plain);
  expect(text).toContain('Failed: 42 findings at 13 operations');
  expect(text).toContain('11 operations, 40 findings, one cause: expected 401, got 200');
  expect(text.match(/curl/g)).toHaveLength(3);
  expect(text).toMatch(/^ {6}getApiKeyIdentity {19}3 findings, first [0-9a-f]{8}$/m);
  expect(text.replaceAll(/\s+/g, ' ')).toContain('· expected 401, got 403');
});

test('what is not printed is counted and can be found', () => {
  expect(renderFindings(oneCause, { ...plain, maxFindings: 1 })).toContain(
    '… and 2 more findings at 2 operations: see conformance-report/report.json',
  );
});

test('a failed case without a finding is told all the same', () => {
  const bare = { ...violatedCase('getPublicContact', 'a/b'), findings: [] };
  const text = renderFindings(sampleReport([bare], { verdict: 'non-conformant' }), plain);
  expect(text).toContain(
    'AUTH-3 must  getPublicContact: an unknown key is refused\n  expected 401, got 200\n  check a/b',
  );
});

test('what is not judged is told by its remedy', () => {
  const text = renderInconclusive(incomplete, plain);
  expect(text).toContain(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a target file says
    '  Add this to the target file to judge 5 more cases:\n    keys:\n      unscoped: ${COMMERCE_KEY_UNSCOPED}\n    initiateHostedLogin, ',
  );
  expect(text).toContain('  Run again with this to judge 1 more case:\n    --max-requests 4000\n');
  expect(text).toContain('  Do this to judge 1 more case:\n    Sign in at the staging shop once');
  expect(text).toContain('  Not judged, 2 cases:\n    The target answered 429 to all 5 tries.\n');
  expect(text).toContain('scope/missing-scope-is-refused');
  expect(text.indexOf('judge 5 more')).toBeLessThan(text.indexOf('judge 2 more'));
});

test('many reasons are cut and counted', () => {
  const open = Array.from({ length: 12 }, (_, index) =>
    openCase('getPublicContact', 'a/b', `reason ${index}`),
  );
  expect(renderInconclusive(sampleReport(open), plain)).toContain(
    '… and 4 more cases for 4 more reasons: see',
  );
});

test('a row says at a glance where its operation stands', () => {
  expect(renderOperations(oneFailure, plain)).toMatch(
    /^ {2}✗ createHostedCheckoutSession +fails +✓ 10 {2}✗ 1$/m,
  );
  expect(renderOperations(oneFailure, plain)).toMatch(
    /^ {2}✓ getPublicStoreSecurityConfig +conforms +✓ 10 +! 1$/m,
  );
  expect(renderOperations(incomplete, plain)).toMatch(
    /^ {2}\? createHostedCheckoutSession +not evaluated +\? 3$/m,
  );
  expect(renderOperations(interrupted, plain)).toMatch(/^ {2}\? getPublicBootstrap +partly run +✓ 10$/m);
  expect(renderOperations(interrupted, plain)).toMatch(/^ {2}- getApiKeyIdentity +not run$/m);
  expect(renderOperations(harnessError, plain)).toMatch(
    /^ {2}E getApiKeyIdentity +harness error +✓ 10 {2}E 1$/m,
  );
  expect(renderOperations(allGreen, plain)).toMatch(/^ {2}✓ getPublicContact\* +conforms/m);
});

test('figures have honest denominators', () => {
  const verdict = (report: Report): string => renderVerdict(report, { ...plain, width: 120 });
  expect(verdict(allGreen)).toContain('25 of 25 conform\n');
  expect(verdict(allGreen)).toContain(
    '250 of 250 judged: 250 pass, 0 fail, 0 warn (1 not applicable, not counted)',
  );
  expect(verdict(allGreen)).toContain('discovered  slug = linen-shirt (listPublicProducts)');
  expect(verdict(allGreen)).toContain('left out    very-long in slug (the gateway cuts long paths)');
  expect(verdict(allGreen)).toContain('never observed: 409 at 25, 429 at 25 of 25 operations');
  expect(verdict(oneFailure)).toContain('24 of 25 conform, 1 fails');
  expect(verdict(incomplete)).toContain('17 of 25 conform, 7 partly judged, 1 not judged');
  expect(verdict(incomplete)).toContain('240 of 252 judged: 240 pass, 0 fail, 0 warn; 12 inconclusive');
  expect(verdict(incomplete)).toContain('of a must: 240 of 251 judged');
  expect(verdict(interrupted)).toContain('0 of 25 conform, 7 partly run, 18 not run');
  expect(verdict(interrupted)).toContain('63 judged of the 63 that were run: 63 pass');
  expect(verdict(harnessError)).toContain('1 ended in a harness error');
  expect(verdict(oneFailure)).toContain('1,204 requests in 3.2 s · 12 throttled · p50 2.4 ms, p95 12 ms');
});

test('a verdict without reasons still says why', () => {
  for (const verdict of ['non-conformant', 'incomplete', 'error'] as const) {
    expect(renderVerdict(sampleReport([], { verdict }), { ...plain, width: 120 }).split('\n')[1]).toMatch(
      /^ {2}\S.*\.$/,
    );
  }
});

test('a flood is bounded', () => {
  expect(printed(hostile).length).toBeLessThan(20_000);
  expect(renderFindings(hostile, plain).replaceAll(/\s+/g, ' ')).toContain('more characters)');
});

test('a terminal of absurd width is survived', () => {
  for (const width of [0, -5, Number.NaN, Number.POSITIVE_INFINITY, 1]) {
    expect(printed(oneCause, width)).toContain('non-conformant');
  }
});
