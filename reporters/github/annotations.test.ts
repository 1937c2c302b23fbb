import { describe, expect, test } from 'vitest';
import type { Report } from '../../harness/model/report.ts';
import { sampleOperations, violatedCase } from '../testing/sample-cases-for-tests.ts';
import {
  incomplete,
  oneCause,
  oneFailure,
  sampleReport,
  sampleReports,
} from '../testing/sample-reports-for-tests.ts';
import { mostAnnotations, renderAnnotations, withoutCommands } from './annotations.ts';

interface Command {
  readonly kind: string;
  readonly title: string;
  readonly message: string;
}

/** Reads commands as the runner does: the properties end at the first `::`, a comma divides them. */
function read(text: string): Command[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const {
        kind = '',
        properties = '',
        data = '',
      } = /^::(?<kind>\w+) (?<properties>.*?)::(?<data>.*)$/.exec(line)?.groups ?? {};
      const [title, ...others] = properties.split(',');
      expect(others, line).toEqual([]);
      const decode = (escaped: string): string =>
        escaped.replaceAll(/%(0A|0D|25|3A|2C)/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        );
      return { kind, title: decode(title?.replace(/^title=/, '') ?? ''), message: decode(data) };
    });
}

test.each(Object.entries(sampleReports))('%s is nothing but annotations, one a line', (_, report) => {
  const commands = read(renderAnnotations(report));
  for (const { kind, title, message } of commands) {
    expect(['error', 'warning']).toContain(kind);
    expect(title).not.toBe('');
    expect(message).not.toBe('');
  }
  expect(commands.length > 0).toBe(
    report.verdict !== 'conformant' && report !== sampleReports['interrupted'],
  );
});

test('a finding is an error, a warning a warning', () => {
  expect(read(renderAnnotations(oneFailure))).toEqual([
    {
      kind: 'error',
      title: 'AUTH-3 must  createHostedCheckoutSession: An invalid key was accepted',
      message: expect.stringMatching(
        /^expected 401, got 200\nan unknown key is refused\ncontract: Authentication, rule 4\nseen in 3 of 3 tries · seed 7 · finding [0-9a-f]{8}\ncheck auth\/invalid-key-is-refused$/,
      ),
    },
    {
      kind: 'warning',
      title: expect.stringContaining('RESOURCE-1 should  getPublicStoreSecurityConfig: '),
      message: expect.stringContaining('expected 404, got 200'),
    },
  ]);
});

test('a cause is one error, however many operations it hits', () => {
  const commands = read(renderAnnotations(oneCause));
  expect(commands).toHaveLength(3);
  expect(commands[0]?.message).toContain('40 findings at 11 operations: initiateHostedLogin (4), ');
});

test('untested cases are one warning', () => {
  expect(read(renderAnnotations(incomplete))).toEqual([
    {
      kind: 'warning',
      title: 'Not tested: 12 cases',
      message: expect.stringContaining('11 must cases were not tested'),
    },
  ]);
});

test('an unreachable target is an error', () => {
  const { run } = incomplete;
  const report: Report = { ...incomplete, run: { ...run, unreachable: 'connection refused' } };
  expect(read(renderAnnotations(report))[0]).toEqual({
    kind: 'error',
    title: 'no verdict',
    message: 'connection refused',
  });
});

describe('hostile words', () => {
  const attack = '100%, a:b\r\n::error title=forged::x\n::stop-commands::y %0A::warning::z';

  test('end neither line nor property nor command', () => {
    const failed = violatedCase(
      'listPublicContactChannels',
      'a/b',
      { requirement: 'X,y:z' },
      { message: attack, actual: attack },
    );
    const text = renderAnnotations(sampleReport([failed], { verdict: 'non-conformant' }));
    const [command, ...others] = read(text);
    expect(others).toEqual([]);
    expect(command?.title).toContain(
      'X,y:z must  listPublicContactChannels: 100%, a:b\\r\\n::error title=forged::x',
    );
    expect(command?.message).toContain('got 100%, a:b');
    expect(text.match(/^::/gm)).toHaveLength(1);
  });

  test('in a text for the log are no commands', () => {
    const text = withoutCommands(`a\n${attack}`, 'token-7');
    expect(text.split('\n')[0]).toBe('::stop-commands::token-7');
    expect(text.endsWith('\n::token-7::\n')).toBe(true);
  });
});

test('there are never more than GitHub shows, and the last says how many it stands for', () => {
  const results = Array.from({ length: 60 }, (_, index) =>
    violatedCase(
      sampleOperations[index % 25]?.id ?? '',
      `a/b-${index}`,
      index % 2 === 0 ? {} : { outcome: 'warn', level: 'should' },
      { message: `wrong in way ${index}`, level: index % 2 === 0 ? 'must' : 'should' },
    ),
  );
  const commands = read(renderAnnotations(sampleReport(results, { verdict: 'non-conformant' })));
  for (const kind of ['error', 'warning']) {
    const of = commands.filter((command) => command.kind === kind);
    expect(of).toHaveLength(mostAnnotations);
    expect(of.at(-1)?.message).toBe('21 more of this kind: see the report');
  }
});
