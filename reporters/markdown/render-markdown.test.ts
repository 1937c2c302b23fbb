import { describe, expect, test } from 'vitest';
import type { CaseResult, Report } from '../../harness/model/report.ts';
import {
  openCase,
  sampleExchange,
  sampleOperations,
  violatedCase,
} from '../testing/sample-cases-for-tests.ts';
import {
  incomplete,
  oneCause,
  oneFailure,
  sampleReport,
  sampleReports,
} from '../testing/sample-reports-for-tests.ts';
import { outsideCode } from './outside-code-for-tests.ts';
import { mostBytes, renderMarkdown } from './render-markdown.ts';

const attack =
  '@octocat ![x](https://evil.example/x.png) <img src=x onerror=alert(1)></details> | `code` ``` \n\n## forged\n\n| a |\n';

/** A text in place of every text that may come from a target. */
function poisoned(text: string): Report {
  const exchange = sampleExchange('listPublicContactChannels', 'a/b');
  const body = { text, encoding: 'utf-8', bytes: text.length, truncated: false, json: 'malformed' } as const;
  const response = { status: 500, headers: [['Content-Type', text]] as const, body };
  const finding = {
    message: text,
    expected: text,
    actual: text,
    contract: text,
    reproduction: text,
    exchange: { ...exchange, response },
  };
  const failed = violatedCase('listPublicContactChannels', 'a/b', { requirement: text }, finding);
  const { response: _response, ...silent } = exchange;
  const results: readonly CaseResult[] = [
    failed,
    { ...violatedCase(text, text, {}, finding), operation: text },
    violatedCase(
      'getPublicBootstrap',
      'c/d',
      { outcome: 'warn', level: 'should' },
      { ...finding, level: 'should', exchange: { ...silent, failure: { kind: 'reset', message: text } } },
    ),
    openCase('listPublicContactChannels', 'e/f', text),
    openCase('listPublicContactChannels', 'g/h', 'unknown', `parameters:\n  slug: ${text}`),
    openCase('listPublicContactChannels', 'i/j', 'unknown', `--max-requests ${text}`),
    openCase('listPublicContactChannels', 'k/l', 'unknown', text),
    { ...openCase('listPublicContactChannels', 'm/n', text), outcome: 'error' },
  ];
  const [first, ...others] = sampleOperations;
  return sampleReport(results, {
    verdict: 'non-conformant',
    complete: false,
    reasons: [text],
    target: { baseUrl: text, embedded: false, discovered: [{ name: text, value: text, from: text }] },
    harness: { name: text, version: text },
    operations: first === undefined ? others : [{ ...first, id: text }, ...others],
    causes: [
      {
        requirement: text,
        signature: text,
        operations: ['listPublicContactChannels', text],
        count: 2,
        example: '00000000',
      },
    ],
  });
}

/** All that may stand outside of code: our own words, headings, lists, tables, and the two tags that fold. */
function expectHarmless(markdown: string): void {
  const prose = outsideCode(markdown).replaceAll(/<details><summary>[\w ,]+<\/summary>|<\/details>/g, '');
  expect(prose).not.toMatch(/[<>@[\]!*_`\\&~$]|https?:|www\./);
  expect(markdown.match(/^<details>/gm)?.length).toBe(markdown.match(/^<\/details>$/gm)?.length);
}

test.each(Object.entries(sampleReports))('%s is harmless Markdown', (_, report) => {
  expectHarmless(renderMarkdown(report));
});

test('what a target says makes no markup, mention, link, image or heading, wherever it stands', () => {
  const markdown = renderMarkdown(poisoned(attack));
  expectHarmless(markdown);
  const tables = outsideCode(markdown).match(/^\|.*$/gm) ?? [];
  expect(new Set(tables.map((line) => line.split('|').length))).toEqual(new Set([9]));
});

describe('reads', () => {
  test('verdict and target first', () => {
    expect(renderMarkdown(oneFailure)).toMatch(
      /^## ✗ non-conformant\n\n`https:\/\/staging\.example\.com\/gateway`\n/,
    );
  });

  test('counts', () => {
    expect(renderMarkdown(oneFailure)).toContain('253 cases: 253 tested (251 pass, 1 fail, 1 warn)');
    expect(renderMarkdown(incomplete)).toContain('of level must: 240 of 251 tested');
  });

  test('a finding with expectation, contract, frequency, id and shell line', () => {
    const markdown = renderMarkdown(oneFailure);
    expect(markdown).toContain('#### AUTH-3 must  createHostedCheckoutSession: An invalid key was accepted');
    expect(markdown).toContain('an unknown key is refused');
    expect(markdown).toContain('expected 401, got 200');
    expect(markdown).toContain('contract: Authentication, rule 4');
    expect(markdown).toMatch(
      /seen in 3 of 3 tries · seed 7 · finding `[0-9a-f]{8}` {2}\ncheck `auth\/invalid-key-is-refused`/,
    );
    expect(markdown).toMatch(/<summary>Request and response<\/summary>\n\n```sh\ncurl -X POST 'https/);
  });

  test('one cause once, with its operations', () => {
    const markdown = renderMarkdown(oneCause);
    expect(markdown).toContain('### Failed: 3 root causes, 42 findings at 13 operations');
    expect(markdown.match(/^#### AUTH-3/gm)).toHaveLength(1);
    expect(markdown).toContain('40 findings at 11 operations: ');
  });

  test('what is inconclusive with the lines that would decide it', () => {
    const markdown = renderMarkdown(incomplete);
    expect(markdown).toContain('### Not tested: 12 cases');
    expect(markdown).toMatch(
      /Add this to the target file to test 5 more cases:\n\n```yaml\nkeys:\n {2}unscoped: \$\{COMMERCE_KEY_UNSCOPED\}\n```/,
    );
    expect(markdown).toContain('```sh\n--max-requests 4000\n```');
    expect(markdown).toContain('Sign in at the staging shop once, then run again.');
  });
});

describe('stays within its bounds', () => {
  const many = (text: string, count: number): Report =>
    sampleReport(
      Array.from({ length: count }, (_, index) =>
        violatedCase(
          sampleOperations[index % 25]?.id ?? '',
          `a/b-${index}`,
          { requirement: `AUTH-${index}` },
          { message: `${index} ${text}`, reproduction: text, expected: text, actual: text },
        ),
      ),
      { verdict: 'non-conformant', reasons: Array.from({ length: 50 }, () => text) },
    );

  test('the first findings whole, the others counted', () => {
    const markdown = renderMarkdown(many('x', 3_000));
    expect(markdown.match(/^#### /gm)).toHaveLength(20);
    expect(markdown).toContain('… and 2,980 more root causes: see report.json');
    expect(markdown).toContain('… and 44 more reasons');
  });

  test.each([
    ['a flood', 'x'.repeat(100_000)],
    ['a flood of what is invisible', '\u{e0001}'.repeat(50_000)],
    ['a flood of backticks', '`'.repeat(100_000)],
    ['a flood of lines', '\n'.repeat(100_000)],
  ])('%s', (_, text) => {
    for (const report of [many(text, 100), poisoned(text)]) {
      const markdown = renderMarkdown(report);
      expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(mostBytes);
      expect(markdown).toContain('## ✗ non-conformant');
    }
  });
});
