import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import type { CaseResult, Report } from '../../harness/model/report.ts';
import { runFault } from '../model/run-figures.ts';
import {
  inapplicableCase,
  openCase,
  passedCase,
  sampleReproduction,
  violatedCase,
} from '../testing/sample-cases-for-tests.ts';
import { hostileText, sampleReport, sampleReports } from '../testing/sample-reports-for-tests.ts';
import { renderJunit } from './render-junit.ts';

type Attributes = Readonly<Record<string, string>>;
type Told = Attributes & { readonly '#text'?: string };

interface TestCase {
  readonly '@_classname': string;
  readonly '@_name': string;
  readonly failure?: readonly Told[];
  readonly error?: readonly Told[];
  readonly skipped?: readonly Told[];
  readonly 'system-out'?: readonly Told[];
}

type TestSuite = Attributes & { readonly testcase: readonly TestCase[] };

const repeated = ['testsuite', 'testcase', 'failure', 'error', 'skipped', 'system-out', 'property'];

function parse(xml: string): Attributes & { readonly testsuite: readonly TestSuite[] } {
  expect(XMLValidator.validate(xml)).toBe(true);
  const parser = new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    htmlEntities: true,
    alwaysCreateTextNode: true,
    isArray: (name) => repeated.includes(name),
  });
  return (parser.parse(xml) as { testsuites: Attributes & { testsuite: readonly TestSuite[] } }).testsuites;
}

function casesOf(report: Report): TestCase[] {
  return parse(renderJunit(report)).testsuite.flatMap(({ testcase }) => testcase);
}

function onlyCase(result: CaseResult, change: Partial<Report> = {}): TestCase {
  const results = [result, passedCase('getPublicBootstrap', 'surface/answers', 'SURFACE-1')];
  const [first] = casesOf(sampleReport(results, change));
  if (first === undefined) throw new Error('no test case was written');
  return first;
}

describe.each(Object.entries(sampleReports))('the sample %s', (_, report) => {
  const xml = renderJunit(report);
  const root = parse(xml);
  const cases = root.testsuite.flatMap(({ testcase }) => testcase);
  const count = (tag: 'failure' | 'error' | 'skipped', within: readonly TestCase[]): string =>
    String(within.filter((one) => one[tag] !== undefined).length);

  test('counts what the report counts, and what no case says', () => {
    const { pass, fail, warn, inconclusive, error } = report.summary;
    const faults = runFault(report) === null ? 0 : 1;
    expect(cases).toHaveLength(pass + fail + warn + inconclusive + error + faults);
    expect(count('failure', cases)).toBe(String(fail));
    expect(count('skipped', cases)).toBe(String(inconclusive));
    expect(count('error', cases)).toBe(String(error + faults));
  });

  test('has counts that agree with the elements they count', () => {
    expect(root['@_tests']).toBe(String(cases.length));
    expect(root['@_failures']).toBe(count('failure', cases));
    expect(root['@_errors']).toBe(count('error', cases));
    for (const suite of root.testsuite) {
      expect(suite['@_tests']).toBe(String(suite.testcase.length));
      expect(suite['@_failures']).toBe(count('failure', suite.testcase));
      expect(suite['@_errors']).toBe(count('error', suite.testcase));
      expect(suite['@_skipped']).toBe(count('skipped', suite.testcase));
    }
  });

  test('has the attributes that readers ask for, and only those they know', () => {
    expect(
      Object.keys(root)
        .filter((key) => key.startsWith('@_'))
        .sort(),
    ).toEqual(['@_errors', '@_failures', '@_name', '@_tests', '@_time']);
    expect(root['@_time']).toMatch(/^\d+\.\d{3}$/);
    for (const suite of root.testsuite) {
      expect(
        Object.keys(suite)
          .filter((key) => key.startsWith('@_'))
          .sort(),
      ).toEqual(['@_errors', '@_failures', '@_id', '@_name', '@_skipped', '@_tests', '@_timestamp']);
      expect(suite['@_timestamp']).toBe(report.run.startedAt);
    }
    for (const told of cases.flatMap((one) => [
      ...(one.failure ?? []),
      ...(one.error ?? []),
      ...(one.skipped ?? []),
    ])) {
      expect(told['@_message']).toBeTruthy();
      expect(told['@_type']).toBeTruthy();
    }
    const identities = cases.map((one) => `${one['@_classname']} ${one['@_name']}`);
    expect(new Set(identities).size).toBe(identities.length);
  });

  test('holds no character that XML 1.0 forbids, and nothing that only some parsers forgive', () => {
    expect(xml).not.toMatch(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u);
    expect(xml).not.toContain(']]>');
  });
});

describe('a failure', () => {
  test('says what is expected, where the contract says so, and how to see it again', () => {
    const result = violatedCase('getApiKeyIdentity', 'auth/invalid-key-is-refused');
    const { failure } = onlyCase(result, { verdict: 'non-conformant' });
    expect(failure).toHaveLength(1);
    expect(failure?.[0]).toMatchObject({
      '@_message': 'An invalid key was accepted: expected 401, got 200',
      '@_type': 'AUTH-3',
    });
    const text = failure?.[0]?.['#text'] ?? '';
    expect(text.split('\n')).toEqual([
      'AUTH-3 must  getApiKeyIdentity: An invalid key was accepted',
      'expected 401, got 200',
      'an unknown key is refused',
      'contract: Authentication, rule 4',
      expect.stringMatching(/^seen in 3 of 3 tries · seed 7 · finding [0-9a-f]{8}$/),
      'answered 200 after 3.5 ms',
      sampleReproduction,
    ]);
  });

  test('holds all findings of its case, for readers keep only one', () => {
    const result = violatedCase('getApiKeyIdentity', 'auth/invalid-key-is-refused');
    const [finding] = result.findings;
    if (finding === undefined) throw new Error('the sample has no finding');
    const two = { ...result, findings: [finding, { ...finding, id: '00000002', message: 'another' }] };
    const { failure } = onlyCase(two, { verdict: 'non-conformant' });
    expect(failure).toHaveLength(1);
    expect(failure?.[0]?.['@_message']).toContain('(and 1 more)');
    expect(failure?.[0]?.['#text']).toContain('finding 00000002');
  });

  test('without a finding is still a failure', () => {
    const result: CaseResult = { ...violatedCase('getApiKeyIdentity', 'auth/x'), findings: [] };
    expect(onlyCase(result).failure?.[0]?.['@_message']).toContain('expected 401, got 200');
  });
});

describe('other outcomes', () => {
  test('inconclusive is skipped with reason and remedy', () => {
    const remedy = 'keys:\n  unscoped: a-key';
    const { skipped } = onlyCase(openCase('getApiKeyIdentity', 'scope/x', 'No key is known.', remedy));
    expect(skipped).toEqual([
      {
        '@_message': 'No key is known. — to test it: keys:   unscoped: a-key',
        '@_type': 'inconclusive',
        '#text': `No key is known.\nto test it:\n${remedy}`,
      },
    ]);
  });

  test('warn passes and says so aside', () => {
    const result = violatedCase(
      'getApiKeyIdentity',
      'a/b',
      { outcome: 'warn', level: 'should' },
      { level: 'should' },
    );
    const warned = onlyCase(result);
    expect(warned.failure).toBeUndefined();
    expect(warned['system-out']?.[0]?.['#text']).toContain('AUTH-3 should  getApiKeyIdentity');
  });

  test('a should that is violated under --strict fails', () => {
    const options = { strict: true };
    const result = violatedCase('getApiKeyIdentity', 'a/b', { level: 'should' }, { level: 'should' });
    const { run } = sampleReport([]);
    expect(onlyCase(result, { run: { ...run, options } }).failure).toHaveLength(1);
  });

  test('a defect of the harness is an error and no failure', () => {
    const broken = onlyCase({ ...openCase('getApiKeyIdentity', 'a/b', 'TypeError: x'), outcome: 'error' });
    expect(broken.error?.[0]?.['@_message']).toBe('TypeError: x');
    expect(broken.failure).toBeUndefined();
  });

  test('not applicable is left out', () => {
    const report = sampleReport([
      passedCase('getPublicBootstrap', 'a/b', 'SURFACE-1'),
      inapplicableCase('listPublicContactChannels', 'a/b'),
    ]);
    expect(parse(renderJunit(report)).testsuite.map((suite) => suite['@_name'])).toEqual([
      'getPublicBootstrap',
    ]);
  });
});

describe('a run that is no result', () => {
  const open = [openCase('listPublicContactChannels', 'a/b', 'The target did not answer.')];
  const { run } = sampleReport([]);

  test.each<[name: string, change: Partial<Report>, message: string]>([
    ['unreachable', { run: { ...run, unreachable: 'connection refused' } }, 'connection refused'],
    ['interrupted', { run: { ...run, interrupted: true } }, 'the run was interrupted'],
    ['nothing tested', { reasons: ['1 case was not tested'] }, '1 case was not tested'],
    ['a defect outside of cases', { verdict: 'error', reasons: ['a worker died'] }, 'a worker died'],
  ])('%s is an error, or a dashboard would be green', (_, change, message) => {
    const report = sampleReport(open, { verdict: 'incomplete', complete: false, ...change });
    const [first] = parse(renderJunit(report)).testsuite;
    expect(first?.['@_name']).toBe('run');
    expect(first?.testcase[0]?.error?.[0]?.['@_message']).toBe(message);
  });
});

test('hostile words come back as visible escapes, and markup as the words it was', () => {
  const { failure } = onlyCase(violatedCase('getApiKeyIdentity', 'a/b', {}, { message: hostileText }));
  const text = failure?.[0]?.['#text'] ?? '';
  expect(text).toContain('red \\x1b[31m');
  expect(text).toContain('<script>alert(1)</script> ]]>');
});

test('the name of the harness in a foreign report has no control characters', () => {
  const report = sampleReport([], { harness: { name: 'a\r\nb', version: '1' } });
  expect(parse(renderJunit(report))['@_name']).toBe('a\\r\\nb');
});
