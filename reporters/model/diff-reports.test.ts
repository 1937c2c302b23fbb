import { describe, expect, it } from 'vitest';
import type { CaseResult, Report, ShapeEntry } from '../../harness/model/report.ts';
import { diffReports, type ReportDiff } from '../../harness/results/diff/diff-reports.ts';
import { outsideCode } from '../markdown/outside-code-for-tests.ts';
import { diffMarkdown } from '../markdown/render-markdown.ts';
import { renderDiff } from '../terminal/render-report.ts';
import { violatedCase } from '../testing/sample-cases-for-tests.ts';
import { allGreen, hostile, hostileText, oneCause, oneFailure } from '../testing/sample-reports-for-tests.ts';

function shaped(report: Report, ...names: readonly string[]): Report {
  const members = ['', ...names.map((name) => `/${name}`)].sort().map((path) => ({
    path,
    types: path === '' ? { object: 2 } : { string: 2 },
    seen: 2,
    of: 2,
  }));
  const shapes: readonly ShapeEntry[] = [
    { operation: 'getPublicProduct', status: 200, shape: { bodies: 2, unread: 0, cut: false, members } },
  ];
  return { ...report, shapes };
}

const options = { colour: false, width: 100 };

/** The report with what failed changed. */
function mapped(report: Report, change: Partial<CaseResult>): Report {
  const results = report.results.map((result) =>
    result.outcome === 'fail' ? { ...result, ...change } : result,
  );
  return { ...report, results };
}

function between(before: Report, after: Report): string {
  return renderDiff(diffReports(before, after), options);
}

describe('a comparison on the terminal', () => {
  it('of equal reports says that nothing got worse, and nothing besides', () => {
    expect(
      between(shaped(oneFailure, 'a'), shaped({ ...oneFailure, results: oneFailure.results }, 'a')),
    ).toContain('Still failing');
    const text = between(shaped(allGreen, 'a'), shaped(allGreen, 'a'));
    expect(text.split('\n').slice(2)).toEqual(['', '✓ no regression', '']);
  });

  it('names new failures and fixed ones by requirement, operation and finding', () => {
    const worse = between(shaped(allGreen), shaped({ ...oneFailure, target: allGreen.target }));
    expect(worse).toMatch(
      /New failures\n {2}AUTH-3 must {2}.+expected 401, got 200\n {4}createHostedCheckoutSession {2}auth/,
    );
    expect(worse).toContain('New warnings');
    expect(worse).toContain('✗ 1 regression: 1 new failure');
    const better = between(shaped(oneFailure), shaped(mapped(oneFailure, { outcome: 'pass', findings: [] })));
    expect(better).toContain('Fixed\n  AUTH-3 must');
    expect(better).not.toContain('regression:');
  });

  it('groups what has one cause, and cuts long lists', () => {
    const text = between(shaped(allGreen), shaped(oneCause));
    expect(text).toContain('and 31 more');
    expect(text.split('\n').length).toBeLessThan(90);
  });

  it('tells lost coverage with the reason, and does not call it fixed', () => {
    const message = 'The budget of requests ended.';
    const text = between(
      shaped(oneFailure),
      shaped(mapped(oneFailure, { outcome: 'inconclusive', message, findings: [] })),
    );
    expect(text).toMatch(
      /Coverage lost\n {2}createHostedCheckoutSession, 1 case: The budget of requests ended\./,
    );
    expect(text).toContain('auth/invalid-key-is-refused  fail → inconclusive');
    expect(text).not.toContain('Fixed');
  });

  it('tells changed bodies', () => {
    const text = between(shaped(allGreen, 'name', 'price'), shaped(allGreen, 'price', 'title'));
    expect(text).toContain(
      'Body changes that break clients\n  /name is gone, probably renamed to /title\n    200 at getPublicProduct: string, in all 2 → in none of 2',
    );
    expect(text).toContain('Body changes that clients tolerate\n  /title is new');
  });

  it('lets nothing through that a terminal would obey', () => {
    const member = '\u001b[2J\u202e';
    const text = between(
      shaped(allGreen, member),
      shaped({ ...hostile, harness: { name: hostileText, version: '2' } }),
    );
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(text).toContain('\\x1b[2J');
  });
});

describe('what can be compared', () => {
  const diffOf = (before: Report, after: Report): ReportDiff => diffReports(before, after);

  it('is not for reports on another contract', () => {
    const other = { ...shaped(allGreen), contract: { digest: `sha256:${'f'.repeat(64)}` } };
    expect(diffOf(shaped(allGreen), other).obstacles).toEqual([
      'they were tested against different versions of the contract',
    ]);
    expect(between(shaped(allGreen), other)).toContain('? no verdict');
  });

  it('is not what the newer run left out by a filter, which is not lost either', () => {
    const [first] = allGreen.results;
    if (first === undefined) throw new Error('the sample has results');
    const run = { ...allGreen.run, options: { ...allGreen.run.options, check: [first.check] } };
    const filtered = {
      ...shaped(allGreen),
      run,
      results: allGreen.results.filter(({ check }) => check === first.check),
    };
    const diff = diffOf(shaped(allGreen), filtered);
    expect(diff.coverageLost).toEqual([]);
    expect(diff.obstacles[0]).toMatch(/^the newer run left out, by --operation or --check, \d+ cases/);
    expect(diffOf(filtered, filtered).obstacles).toEqual([]);
    expect(diffOf(filtered, shaped(allGreen)).obstacles).toEqual([]);
  });

  it('is not a report without shapes', () => {
    expect(diffOf(allGreen, shaped(allGreen)).obstacles[0]).toContain('the older report holds no shapes');
  });

  it('is for reports of another harness version, except for removed checks', () => {
    const [first] = allGreen.results;
    const later = {
      ...shaped(allGreen),
      harness: { ...allGreen.harness, version: '9.0.0' },
      results: allGreen.results.filter(({ check }) => check !== first?.check),
    };
    const diff = diffOf(shaped(allGreen), later);
    expect(diff.coverageLost).toEqual([]);
    expect(diff.notes[0]).toContain(`9.0.0; it no longer has ${first?.check}`);
  });

  it('loses a case that is absent without a reason', () => {
    const rest = { ...shaped(allGreen), results: allGreen.results.slice(1) };
    expect(diffOf(shaped(allGreen), rest).coverageLost).toMatchObject([{ after: 'absent' }]);
  });

  it('does not take for lost what nobody can force', () => {
    const results = allGreen.results.map((result, at) =>
      at === 0 ? { ...result, outcome: 'not-applicable' as const } : result,
    );
    expect(diffOf(shaped(allGreen), { ...shaped(allGreen), results }).coverageLost).toEqual([]);
  });

  it('does not take for lost what the newer run had no requests left for', () => {
    const results = allGreen.results.map((result, at) =>
      at === 0
        ? { ...result, outcome: 'inconclusive' as const, message: 'no room', remedy: 'raise --max-requests' }
        : result,
    );
    const diff = diffOf(shaped(allGreen), { ...shaped(allGreen), results });
    expect(diff).toMatchObject({ coverageLost: [], regressions: 0 });
    expect(diff.obstacles).toEqual([
      'the newer run had no requests left for 1 case that the older one tested: raise its --max-requests',
    ]);
  });

  it('names the options that differ as a user sets them', () => {
    const withOptions = (options: Report['run']['options']): Report => ({
      ...shaped(allGreen),
      run: { ...allGreen.run, options },
    });
    expect(diffOf(withOptions({}), withOptions({ profile: 'standard', readOnly: false })).notes).toEqual([]);
    expect(diffOf(withOptions({}), withOptions({ profile: 'quick', readOnly: true })).notes).toEqual([
      '--profile: standard in the older run, quick in the newer one',
      '--read-only: off in the older run, on in the newer one',
      'the newer run sends less: a finding that it does not show may still be there',
    ]);
  });

  it('takes what a smaller profile leaves out neither for lost nor for fixed', () => {
    const inQuick = (report: Report): Report => ({
      ...report,
      run: { ...report.run, options: { ...report.run.options, profile: 'quick' } },
    });
    const passed = shaped(mapped(oneFailure, { outcome: 'pass', findings: [] }));
    const fewer = inQuick({ ...passed, results: passed.results.slice(1) });
    const diff = diffOf(shaped(oneFailure), fewer);
    expect(diff).toMatchObject({ coverageLost: [], fixed: [], regressions: 0, obstacles: [] });
    expect(diff.notes.join()).toContain('not part of the quick profile: 1 case that the older run tested');
    expect(diffOf(fewer, shaped(oneFailure)).newFailures).toHaveLength(1);
    expect(diffOf(inQuick(shaped(allGreen)), fewer).coverageLost).not.toEqual([]);
    expect(diffOf(inQuick(shaped(oneFailure)), inQuick(passed)).fixed).toHaveLength(1);
  });

  it('counts a finding as new that something else shows now', () => {
    const shownBy = (...triggers: readonly string[]): Report => ({
      ...shaped(oneFailure),
      results: oneFailure.results.map((result) => ({
        ...result,
        findings: result.findings.map((finding) => ({ ...finding, triggers })),
      })),
    });
    expect(diffOf(shownBy('a'), shownBy('a')).newFailures).toEqual([]);
    expect(diffOf(shownBy('a', 'b'), shownBy('a')).newFailures).toEqual([]);
    const diff = diffOf(shownBy('a'), shownBy('a', 'b'));
    expect(diff).toMatchObject({ stillFailing: [], regressions: diff.newFailures.length });
    expect(diff.newFailures).not.toEqual([]);
  });

  it('holds a second finding of a failing case for new', () => {
    const [failing] = oneFailure.results.filter(({ outcome }) => outcome === 'fail');
    if (failing === undefined) throw new Error('the sample has a failure');
    const [finding] = violatedCase(failing.operation, failing.check).findings;
    if (finding === undefined) throw new Error('a violation has a finding');
    const more = { ...failing, findings: [...failing.findings, { ...finding, id: 'eeeeeeee' }] };
    const results = oneFailure.results.map((result) => (result === failing ? more : result));
    const diff = diffOf(shaped(oneFailure), { ...shaped(oneFailure), results });
    expect(diff.newFailures.map((change) => change.finding)).toEqual(['eeeeeeee']);
    expect(diff.stillFailing).toHaveLength(1);
  });
});

describe('a comparison as Markdown', () => {
  it('has a heading for each section', () => {
    const text = diffMarkdown(diffReports(shaped(allGreen, 'a', 'b'), shaped(oneFailure, 'a')));
    expect(text).toMatch(/^## ✗ 2 regressions: 1 new failure, 1 change of bodies that breaks clients\n/);
    expect(text).toContain('### New failures\n\n- AUTH-3 must');
    expect(text).toContain('- `/b` is gone\n  - 200 at getPublicProduct: string, in all 2 → in none of 2');
  });

  it('lets nothing that a target may have said become markup', () => {
    const member = '``` <img src=x> @someone [a](javascript:x) `';
    const text = diffMarkdown(diffReports(shaped(allGreen, member), shaped(hostile)));
    const outside = outsideCode(text);
    for (const bad of ['<', '@', '](', 'javascript']) expect(outside).not.toContain(bad);
    expect(outside).not.toContain('`');
  });
});
