import { hostname } from 'node:os';
import type { TestResult } from 'allure-js-commons';
import { parseEnvInfo } from 'allure-js-commons/sdk/reporter';
import { describe, expect, test } from 'vitest';
import type { Outcome, Report } from '../../harness/model/report.ts';
import type { RenderedFile } from '../formats.ts';
import { formats } from '../formats.ts';
import { runFault } from '../model/run-figures.ts';
import { inapplicableCase, openCase, passedCase, violatedCase } from '../testing/sample-cases-for-tests.ts';
import { allGreen, oneFailure, sampleReport, sampleReports } from '../testing/sample-reports-for-tests.ts';
import { renderAllure } from './render-allure.ts';

function resultsOf(files: readonly RenderedFile[]): TestResult[] {
  return files
    .filter(({ path }) => path.endsWith('-result.json'))
    .map(({ text }) => JSON.parse(text) as TestResult);
}

function onlyResult(report: Report): TestResult {
  const [result, ...others] = resultsOf(renderAllure(report));
  expect(others).toEqual([]);
  if (result === undefined) throw new Error('no result was written');
  return result;
}

describe.each(Object.entries(sampleReports))('the sample %s', (_, report) => {
  const files = renderAllure(report);
  const results = resultsOf(files);

  test('has a result for each case that applies', () => {
    const count = (outcome: Outcome): number =>
      report.results.filter((one) => one.outcome === outcome).length;
    const broken = count('error') + (runFault(report) === null ? 0 : 1);
    const withStatus = (status: string): number => results.filter((one) => one.status === status).length;
    expect({
      passed: withStatus('passed'),
      failed: withStatus('failed'),
      skipped: withStatus('skipped'),
      broken: withStatus('broken'),
    }).toEqual({
      passed: count('pass') + count('warn'),
      failed: count('fail'),
      skipped: count('inconclusive'),
      broken,
    });
  });

  test('names neither host nor thread', () => {
    for (const { labels } of results) {
      expect(labels.map(({ name }) => name)).not.toEqual(expect.arrayContaining(['host']));
      expect(labels.map(({ name }) => name)).not.toEqual(expect.arrayContaining(['thread']));
    }
    expect(files.map(({ text }) => text).join('')).not.toContain(hostname());
  });

  test('has every attachment that it names, and no other', () => {
    const named = results.flatMap(({ steps }) =>
      steps.flatMap((step) => step.attachments.map(({ source }) => source)),
    );
    const written = files
      .map(({ path }) => path.slice('allure-results/'.length))
      .filter((path) => path.includes('-attachment.'));
    expect(written.sort()).toEqual(named.sort());
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
  });

  test('is finished, timed and told apart from others', () => {
    for (const result of results) {
      expect(result.stage).toBe('finished');
      expect(result.stop).toBeGreaterThanOrEqual(result.start ?? Number.POSITIVE_INFINITY);
      expect(result.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    expect(new Set(results.map(({ historyId }) => historyId)).size).toBe(results.length);
  });

  test('writes where the format says that it does', () => {
    const folder = formats.find(({ name }) => name === 'allure')?.folder;
    for (const { path } of files) {
      expect(path).toMatch(/^allure-results\/(conformance-[\w.-]+|environment\.properties)$/);
      expect(path.startsWith(`${folder?.name}/${folder?.prefix}`) || path.endsWith('.properties')).toBe(true);
    }
  });
});

test('the same report gives the same files', () => {
  expect(renderAllure(oneFailure)).toEqual(renderAllure(oneFailure));
});

test('a case keeps its history from run to run, each of which is another result', () => {
  const results = [passedCase('listPublicContactChannels', 'a/b', 'SURFACE-1')];
  const first = onlyResult(sampleReport(results));
  const next = onlyResult(
    sampleReport(results, { run: { ...allGreen.run, startedAt: '2026-09-01T10:00:00.000Z' } }),
  );
  expect(next.historyId).toBe(first.historyId);
  expect(next.uuid).not.toBe(first.uuid);
});

test('a finding is a step with its exchange and the line that sends it again', () => {
  const files = renderAllure(sampleReport([violatedCase('listPublicContactChannels', 'a/b')]));
  const [result] = resultsOf(files);
  expect(result?.statusDetails).toEqual({
    message: 'AUTH-3 must  listPublicContactChannels: An invalid key was accepted\nexpected 401, got 200',
    expected: '401',
    actual: '200',
  });
  expect(result?.steps.map(({ name, status }) => ({ name, status }))).toEqual([
    {
      name: expect.stringContaining(
        'expected 401, got 200 · an unknown key is refused · contract: Authentication, rule 4',
      ),
      status: 'failed',
    },
  ]);
  const attached = result?.steps[0]?.attachments.map(
    ({ source }) => files.find(({ path }) => path === `allure-results/${source}`)?.text,
  );
  expect(attached?.[0]).toMatch(/^curl -X POST /);
  expect(JSON.parse(attached?.[1] ?? '')).toMatchObject({
    request: { method: 'POST' },
    response: { status: 200 },
  });
});

test('inconclusive is skipped with its note and what would decide it', () => {
  const { status, statusDetails } = onlyResult(
    // One tested case beside it, or the run as a whole would be no result.
    sampleReport(
      [
        openCase('listPublicContactChannels', 'a/b', 'No key is known.', 'keys:\n  scoped: x'),
        inapplicableCase('listPublicContactChannels', 'c/d'),
      ],
      {
        summary: { ...allGreen.summary, pass: 1 },
      },
    ),
  );
  expect(status).toBe('skipped');
  expect(statusDetails.message).toBe('No key is known.\nto test it:\nkeys:\n  scoped: x');
});

test('a warning passes, with a tag and a step', () => {
  const warned = violatedCase(
    'listPublicContactChannels',
    'a/b',
    { outcome: 'warn', level: 'should' },
    { level: 'should' },
  );
  const result = onlyResult(sampleReport([warned]));
  expect(result.status).toBe('passed');
  expect(result.labels).toContainEqual({ name: 'tag', value: 'warn' });
  expect(result.steps.map(({ status }) => status)).toEqual(['passed']);
});

test('the environment is read back', () => {
  const text = renderAllure(allGreen).find(({ path }) => path.endsWith('environment.properties'))?.text;
  expect(parseEnvInfo(text ?? '')).toMatchObject({
    target: 'http://127.0.0.1:40121',
    seed: '7',
    verdict: 'conformant',
  });
});
