import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import type { Report } from '../harness/model/report.ts';
import { renderHtml } from './html/render-html.ts';
import { renderJunit } from './junit/render-junit.ts';
import { renderMarkdown } from './markdown/render-markdown.ts';
import { oneFailure } from './testing/sample-reports-for-tests.ts';

const accepted = { owner: 'checkout-team', expires: '2027-03-31', reason: 'the old client needs it' };
const report: Report = {
  ...oneFailure,
  results: oneFailure.results.map((result) => ({
    ...result,
    findings: result.findings.map((finding) => ({ ...finding, accepted })),
  })),
};
const said = /accepted by (?:<[^>]*>|`)?checkout-team(?:<[^>]*>|`)? until (?:<[^>]*>|`)?2027-03-31/;

test('the page and the summary say who accepts a finding, and until when', () => {
  expect(renderHtml(report)).toMatch(said);
  expect(renderMarkdown(report)).toMatch(said);
  expect(renderHtml(oneFailure)).not.toContain('accepted by');
});

test('in JUnit XML what is accepted is skipped, and counted so', () => {
  const read = (one: Report): Record<string, unknown> =>
    (
      new XMLParser({ ignoreAttributes: false }).parse(renderJunit(one)) as {
        testsuites: Record<string, unknown>;
      }
    ).testsuites;
  expect(read(oneFailure)).toMatchObject({ '@_failures': '1' });
  expect(read(report)).toMatchObject({ '@_failures': '0' });
  expect(renderJunit(report)).toContain('accepted by checkout-team until 2027-03-31');
});
