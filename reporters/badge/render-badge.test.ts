import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import type { Report } from '../../harness/model/report.ts';
import { sampleReports } from '../testing/sample-reports-for-tests.ts';
import { renderBadge } from './render-badge.ts';

function badgeOf(report: Report): { readonly svg: string; readonly json: Record<string, unknown> } {
  const [svg, json] = renderBadge(report);
  return { svg: svg?.text ?? '', json: JSON.parse(json?.text ?? '') };
}

test.each([
  ['allGreen', 'conformant', 'brightgreen'],
  ['oneFailure', '1 root cause', 'red'],
  ['oneCause', '3 root causes', 'red'],
  ['incomplete', 'incomplete', 'yellow'],
  ['interrupted', 'incomplete', 'yellow'],
  ['harnessError', 'error', 'lightgrey'],
  ['hostile', '1 root cause', 'red'],
] as const)('%s reads %s', (name, message, color) => {
  const report = sampleReports[name];
  if (report === undefined) throw new Error(`there is no sample ${name}`);
  expect(badgeOf(report).json).toMatchObject({ message: `${message}, profile standard`, color });
  const quick = { ...report, run: { ...report.run, options: { profile: 'quick' } } };
  expect(badgeOf(quick).json['message']).toBe(`${message}, profile quick`);
});

test.each(Object.entries(sampleReports))('%s is what the endpoint schema asks for', (_, report) => {
  const { json: badge } = badgeOf(report);
  expect(badge).toEqual({
    schemaVersion: 1,
    label: expect.stringMatching(/./),
    message: expect.stringMatching(/./),
    color: expect.stringMatching(/^[a-z]+$/),
    isError: report.verdict !== 'conformant',
  });
  expect(badge['color'] === 'brightgreen').toBe(report.verdict === 'conformant');
});

test.each(Object.entries(sampleReports))('%s is drawn with label and message', (_, report) => {
  const { svg, json } = badgeOf(report);
  expect(XMLValidator.validate(svg)).toBe(true);
  const parsed = new XMLParser({ ignoreAttributes: false }).parse(svg) as { svg: Record<string, unknown> };
  expect(parsed.svg['@_aria-label']).toBe(`${json['label']}: ${json['message']}`);
  expect(svg).not.toMatch(/<script|href|https?:(?!\/\/www\.w3\.org\/)/);
});
