import { describe, expect, test } from 'vitest';
import type { Additional, CaseResult, Report } from '../../harness/model/report.ts';
import { summarise } from '../../harness/results/verdict.ts';
import { renderHtml } from '../html/render-html.ts';
import { parseReport, serialiseReport } from '../json/write-report.ts';
import { renderJunit } from '../junit/render-junit.ts';
import { renderMarkdown } from '../markdown/render-markdown.ts';
import { renderReport } from '../terminal/render-report.ts';
import { openCase, passedCase, passedCases, violatedCase } from '../testing/sample-cases-for-tests.ts';
import { hostileText, sampleReport } from '../testing/sample-reports-for-tests.ts';

const requirement = 'OWN-CACHE-1';
const check = 'own/cache/listings-say-how-long';
const [first = '', second = '', third = '', fourth = '', fifth = ''] = [
  ...new Set(passedCases.map(({ operation }) => operation)),
];

const results: readonly CaseResult[] = [
  { ...violatedCase(first, check, { requirement }), requirement },
  { ...violatedCase(second, check, { requirement }), requirement },
  { ...passedCase(third, check, requirement) },
  { ...openCase(fourth, check, 'not both reads were answered'), requirement },
  {
    ...passedCase(fifth, check, requirement),
    outcome: 'error',
    message: `defect of the check ${check}: ${hostileText}`,
  },
];

const additional: Additional = {
  folder: 'checks',
  requirements: [{ id: requirement, level: 'must', text: 'Reads say how long they may be cached.' }],
  results,
  summary: summarise(results),
};
const report: Report = sampleReport(passedCases, { additional });
const plain = sampleReport(passedCases);

describe('custom checks', () => {
  test('stand in the terminal by themselves, and the verdict stays what it is', () => {
    const shown = renderReport(report, { colour: false, width: 200 });
    expect(shown).toContain('Custom checks (checks), not part of the verdict: 3 of 5 cases tested');
    expect(shown).toContain(`the same at ${second}`);
    expect(shown).toContain(`failed to run: ${check}  ${fifth}: defect of the check ${check}`);
    // Each line of a stack has its own.
    expect(shown).not.toContain('\\n');
    expect(shown).toContain(`not tested: ${check}  ${fourth}`);
    expect(shown).toContain('✓ conformant');
    expect(shown).not.toContain('Failed:');
    const quiet = renderReport(report, { colour: false, width: 200, quiet: true });
    expect(quiet).toContain('fails: OWN-CACHE-1 must');
    expect(quiet).not.toContain('not tested:');
  });

  test('have a section in HTML and Markdown', () => {
    for (const shown of [renderHtml(report), renderMarkdown(report)]) {
      expect(shown).toContain('Custom checks (checks)');
      expect(shown).toContain('OWN-CACHE-1');
      expect(shown).not.toContain(hostileText);
    }
  });

  test('are cases in JUnit, which CI fails on', () => {
    expect(renderJunit(report).split(`name="${check}"`)).toHaveLength(6);
    expect(renderJunit(report)).toMatch(/<testsuites [^>]*failures="2"[^>]*errors="1"/);
  });

  test('leave no trace where there are none', () => {
    for (const render of [renderHtml, renderMarkdown, renderJunit]) {
      expect(render(plain)).not.toContain('Custom checks');
    }
  });
});

describe('report.json', () => {
  test('holds them apart', () => {
    expect(parseReport(serialiseReport(report)).additional).toEqual(additional);
  });

  test.each<[string, Partial<Report>]>([
    ['a result of theirs among ours', { results, summary: summarise(results) }],
    ['one of ours among theirs', { additional: { ...additional, results: passedCases.slice(0, 1) } }],
    ['a summary that is not theirs', { additional: { ...additional, summary: plain.summary } }],
  ])('is not written with %s', (_, change) => {
    expect(() => serialiseReport({ ...report, ...change })).toThrow();
  });
});
