import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { CaseResult, Report } from '../../harness/model/report.ts';
import { withBaseline } from '../../harness/results/baseline/with-baseline.ts';
import { decide } from '../../harness/results/verdict.ts';
import { openCase, sampleReproduction, violatedCase } from '../testing/sample-cases-for-tests.ts';
import {
  allGreen,
  harnessError,
  hostile,
  hostileText,
  incomplete,
  interrupted,
  oneCause,
  oneFailure,
  sampleReport,
  sampleReports,
} from '../testing/sample-reports-for-tests.ts';
import { layoutOf } from './layout.ts';
import { operationsTable } from './operations-table.ts';
import { renderReport } from './render-report.ts';

const plain = { colour: false, width: 80, reportPath: 'conformance-report/report.json' };

function printed(report: Report, width: number = 80, colour: boolean = false): string {
  return renderReport(report, { ...plain, width, colour });
}

function tableOf(report: Report): string {
  return operationsTable(report, layoutOf(plain)).join('\n');
}

function isToBeCopied(line: string): boolean {
  return /^\s+(curl|parameters:|new\\t|replay it)/.test(line);
}

describe.each(Object.entries(sampleReports))('the sample %s', (_, report) => {
  test.each([80, 120])('fits %i columns but for lines to be copied', (width) => {
    for (const line of printed(report, width).split('\n')) {
      if (!isToBeCopied(line)) expect(stringWidth(line), line).toBeLessThanOrEqual(width);
    }
  });

  test('holds no control character without colour, and the same text with it', () => {
    const text = printed(report);
    expect(text).not.toMatch(/[^\P{C}\n]/u);
    expect(stripVTControlCharacters(printed(report, 80, true))).toBe(text);
  });

  test('ends with the verdict and the commands that lead on', () => {
    const lines = printed(report).split('\n');
    const at = lines.findLastIndex((line) => line.startsWith(report.verdict, 2));
    expect(lines.length - at).toBeLessThan(16);
    expect(printed(report)).toContain('  report      conformance-report/report.json\n');
    expect(printed(report)).not.toMatch(/: undefined|NaN|\[object|\n\n\n/);
  });

  test('counts every operation in its table', () => {
    const table = tableOf(report);
    const rows = table.match(/^ {2}[✓✗?!E-] (?!\d)/gm)?.length ?? 0;
    const summed = [
      ...table.matchAll(/all (\d+) conform|✓ (\d+) more conform|^- (\d+) operations not run/gm),
    ].map(([, all, more, idle]) => Number(all ?? more ?? idle));
    expect(summed.reduce((sum, count) => sum + count, rows)).toBe(25);
  });
});

describe('the verdict line', () => {
  const told = (report: Report): string => printed(report, 160);
  const withOptions = (report: Report, options: object): Report => ({
    ...report,
    traffic: { ...report.traffic, throttled: 0 },
    run: { ...report.run, options: { ...report.run.options, ...options } },
  });

  test('says how many must cases were not tested, and names the flag that gates on them', () => {
    expect(told(incomplete)).toMatch(/^\? incomplete: \d+ of \d+ must cases were not tested {2}http/m);
    expect(told(incomplete)).toContain('with --fail-incomplete, the exit code is 3');
    expect(told(withOptions(incomplete, { failIncomplete: true }))).not.toContain('--fail-incomplete');
    const dead = { ...incomplete, run: { ...incomplete.run, unreachable: 'it stopped answering' } };
    expect(told(dead)).not.toContain('--fail-incomplete');
  });

  test('says that --provoke-rate-limit provoked nothing', () => {
    const caveat = 'conformant: --provoke-rate-limit provoked no 429, so throttling was not tested';
    expect(told(withOptions(allGreen, { provokeRateLimit: true }))).toContain(caveat);
    expect(told(withOptions(allGreen, {}))).not.toContain('--provoke-rate-limit');
  });
});

test('a root cause reads as the design says', () => {
  expect(printed(oneFailure).split('\n\n')).toContain(
    [
      '✗ AUTH-3 must  createHostedCheckoutSession: An invalid key was accepted',
      '  expected 401, got 200',
      '  an unknown key is refused',
      '  contract: Authentication, rule 4',
      '  seen in 3 of 3 tries · seed 7 · finding efc36cf8',
      '  check auth/invalid-key-is-refused',
      `  ${sampleReproduction}`,
    ].join('\n'),
  );
});

test('the commands that are printed can be pasted', () => {
  const text = renderReport(oneFailure, {
    ...plain,
    reportPath: "it's/report.json",
    targetFile: 'target.yaml',
  });
  expect(text).toContain('npx commerce-conformance explain AUTH-3\n');
  expect(text).toContain(
    "npx commerce-conformance replay efc36cf8 --report 'it'\\''s/report.json' --target target.yaml\n",
  );
});

describe('a root cause with findings of two levels', () => {
  const weak = violatedCase(
    'a',
    'a/b',
    { requirement: 'LOGIN-2', level: 'should', outcome: 'warn' },
    { level: 'should' },
  );
  const grave = violatedCase('a', 'a/c', { requirement: 'STATUS-1' });
  const elsewhere = violatedCase('b', 'a/d', { requirement: 'STATUS-1' });
  const rootCauses = Object.entries({ 'It is answered 500': [weak, grave], 'It is lost': [elsewhere] }).map(
    ([headline, cases]) => ({
      id: '0a0a0a0a',
      headline,
      level: 'must' as const,
      subject: 'service' as const,
      fix: 'Answer 409.',
      requirements: ['LOGIN-2', 'STATUS-1'],
      operations: ['a'],
      findings: cases.flatMap(({ findings }) => findings.map(({ id }) => id)),
      accept: '',
    }),
  );
  const report = sampleReport([weak, grave, elsewhere], { rootCauses });
  const idOf = ({ findings: [finding] }: CaseResult): string => finding?.id ?? '';

  test('has the gravest, and the requirement of that level', () => {
    const text = printed(report);
    expect(text).toContain('STATUS-1 must  a: It is answered 500');
    expect(text).toContain(
      `explain STATUS-1\n  replay it   npx commerce-conformance replay ${idOf(grave)}\n`,
    );
  });

  test.each([
    [elsewhere, grave, 'It is answered 500', 'It is lost'],
    [grave, elsewhere, 'It is lost', 'It is answered 500'],
  ])(
    'shows what is new before what is accepted, and leads on to it: case %#',
    (known, added, first, last) => {
      const entry = { finding: idOf(known), reason: 'known', owner: 'team', expires: '2026-12-31' };
      const baseline = { file: 'baseline.yaml', digest: '', accepted: [entry] };
      const text = printed(withBaseline(report, baseline, '2026-11-21'));
      const inOrder = [first, `\n  new: ${idOf(added)}\n`, last, `replay ${idOf(added)}\n`];
      expect(text).toMatch(RegExp(inOrder.join('[^]*')));
    },
  );
});

test('a root cause says who answered, and how to fix it', () => {
  const [failed] = oneFailure.results.flatMap(({ findings }) => findings);
  const text = printed({
    ...oneFailure,
    rootCauses: [
      {
        id: '0a0a0a0a',
        headline: 'nginx answers errors with its own pages',
        level: 'must',
        subject: 'in front of the service',
        answeredBy: { name: 'nginx', role: 'proxy', why: 'HTML page "400 Bad Request"' },
        fix: 'Set proxy_intercept_errors off.',
        requirements: ['ERROR-1'],
        operations: ['createHostedCheckoutSession'],
        findings: [failed?.id ?? ''],
        accept: '- finding: efc36cf8',
      },
    ],
  });
  expect(text.replaceAll(/\s+/g, ' ')).toContain('nginx answers errors with its own pages');
  expect(text).toContain('  answered by nginx: HTML page "400 Bad Request"\n');
  expect(text).toContain('  fix: Set proxy_intercept_errors off.\n');
});

test('the shell line survives at any width, with and without colour', () => {
  for (const width of [40, 80, 120]) {
    expect(printed(oneFailure, width)).toContain(sampleReproduction);
    expect(printed(oneFailure, width, true)).toContain(sampleReproduction);
  }
});

test('an intermittent violation says so', () => {
  expect(printed(oneFailure)).toContain('intermittent, seen in 1 of 40 tries · seed 7');
});

test('notes have their place and no weight', () => {
  expect(printed(oneFailure, 120)).toContain(
    'RATE-3 info  listPublicProducts: 429 responses carry the undeclared Retry-After header',
  );
});

test('a root cause is printed once, with its operations', () => {
  const text = printed(oneCause);
  expect(text).toContain('Failed: 3 root causes, 42 findings at 13 operations');
  expect(text).toContain('  40 findings at 11 operations: ');
  expect(text).toContain('  also expected 401, got 403');
  expect(text.match(/curl/g)).toHaveLength(3);
});

test('the rest is counted and can be found', () => {
  const cases = Array.from({ length: 12 }, (_, at) =>
    violatedCase('getPublicBootstrap', `a/${at}`, {}, { message: `rule ${at} is broken` }),
  );
  expect(printed(sampleReport(cases, { verdict: 'non-conformant' }))).toContain(
    '2 more root causes: see conformance-report/report.json',
  );
});

test('a failed case without a finding is told all the same', () => {
  const bare = { ...violatedCase('listPublicContactChannels', 'a/b'), findings: [] };
  const text = printed(sampleReport([bare], { verdict: 'non-conformant' }));
  expect(text).toContain(
    'AUTH-3 must  listPublicContactChannels: an unknown key is refused\n  expected 401, got 200\n  check a/b',
  );
});

test('inconclusive cases are grouped by remedy', () => {
  const text = printed(incomplete);
  expect(text).toContain(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a target file says
    '  Add this to the target file to test 5 more cases:\n    keys:\n      unscoped: ${COMMERCE_KEY_UNSCOPED}\n    initiateHostedLogin, ',
  );
  expect(text).toContain('  Run again with this to test 1 more case:\n    --max-requests 4000\n');
  expect(text).toContain('  Do this to test 1 more case:\n    Sign in at the staging shop once');
  expect(text).toContain('  Not tested, 2 cases:\n    The target answered 429 to all 5 tries.\n');
  expect(text).toContain('scope/missing-scope-is-refused');
  expect(text.indexOf('test 5 more')).toBeLessThan(text.indexOf('test 2 more'));
});

test('many reasons are cut and counted', () => {
  const open = Array.from({ length: 12 }, (_, index) =>
    openCase('listPublicContactChannels', 'a/b', `reason ${index}`),
  );
  expect(printed(sampleReport(open))).toContain('4 more cases for 4 more reasons: see');
});

test('a row says at a glance where its operation stands', () => {
  expect(tableOf(oneFailure)).toMatch(/^ {2}✗ createHostedCheckoutSession +fails +✓ 10 {2}✗ 1$/m);
  expect(tableOf(oneFailure).indexOf('createHostedCheckoutSession')).toBeLessThan(
    tableOf(oneFailure).indexOf('getPublicStoreSecurityConfig'),
  );
  expect(tableOf(oneFailure)).toMatch(/^ {2}✓ getPublicStoreSecurityConfig +conforms +✓ 10 +! 1$/m);
  expect(tableOf(incomplete)).toMatch(/^ {2}\? createHostedCheckoutSession +not tested +\? 3$/m);
  expect(tableOf(interrupted)).toMatch(/^ {2}\? getPublicBootstrap +partly run +✓ 10$/m);
  expect(tableOf(interrupted)).toContain('\n- 18 operations not run');
  expect(tableOf(harnessError)).toMatch(/^ {2}E getApiKeyIdentity +harness error +✓ 10 {2}E 1$/m);
  expect(tableOf(allGreen)).toContain('✓ Storefront public reads: all 14 conform, 140 cases pass\n');
});

test('a defect of the harness is printed once, without its stack', () => {
  const stack = 'TypeError: x is not a function\n    at run (worker.js:1:2)';
  const broken = ['a/b', 'a/c', 'a/d'].map((check) => ({
    ...openCase('getApiKeyIdentity', check, stack),
    outcome: 'error' as const,
  }));
  const shortfall = { interrupted: false, filtered: false, defect: stack };
  const text = printed(sampleReport(broken, decide(broken, shortfall)));
  expect(text).toContain(
    '  a/b  getApiKeyIdentity: TypeError: x is not a function\n    the same in 2 more cases\n',
  );
  expect(text).toContain('  a defect of the harness: TypeError: x is not a function\n');
  expect(text).not.toContain('worker.js');
});

test('figures have honest denominators', () => {
  const verdict = (report: Report): string => printed(report, 120);
  expect(verdict(allGreen)).toContain('25 of 25 conform\n');
  expect(verdict(allGreen)).toContain(
    '251 cases: 250 tested (250 pass, 0 fail, 0 warn), 1 had nothing to test (such as a 429 that never came)',
  );
  expect(verdict(allGreen)).toContain('discovered  slug = linen-shirt (listPublicProducts)');
  expect(verdict(allGreen)).toContain('excluded    very-long in slug (the gateway cuts long paths)');
  expect(verdict(allGreen)).toMatch(/the\s+target\s+file\s+excludes\s+them:\s+very-long\.$/m);
  expect(verdict(allGreen)).toContain('never observed: 409 at 25, 429 at 25 of 25 operations');
  expect(verdict(oneFailure)).toContain('24 of 25 conform, 1 fails');
  expect(verdict(incomplete)).toContain('17 of 25 conform, 7 partly tested, 1 not tested');
  expect(verdict(incomplete)).toContain('252 cases: 240 tested (240 pass, 0 fail, 0 warn), 12 not tested');
  expect(verdict(incomplete)).toContain('of level must: 240 of 251 tested');
  expect(verdict(interrupted)).toContain('0 of 25 conform, 7 partly run, 18 not run');
  expect(verdict(interrupted)).toContain('63 cases: 63 tested (63 pass');
  expect(verdict(harnessError)).toContain('1 ended in a harness error');
  expect(verdict(oneFailure)).toContain('1,204 requests in 3.2 s · 12 answered 429 · p50 2.4 ms, p95 12 ms');
});

test('a verdict without reasons still says why', () => {
  for (const verdict of ['non-conformant', 'incomplete', 'error'] as const)
    expect(printed(sampleReport([], { verdict, reasons: [] }), 120)).toMatch(
      new RegExp(`^. ${verdict} .*\\n {2}\\S.*\\.$`, 'm'),
    );
});

test('a flood is bounded', () => {
  expect(printed(hostile).length).toBeLessThan(20_000);
  expect(printed(hostile).replaceAll(/\s+/g, ' ')).toContain('more characters)');
});

test('a terminal of absurd width is survived', () => {
  for (const width of [0, -5, Number.NaN, Number.POSITIVE_INFINITY, 1]) {
    expect(printed(oneCause, width)).toContain('non-conformant');
  }
});

describe('the gate', () => {
  const id = oneFailure.results.find(({ outcome }) => outcome === 'fail')?.findings[0]?.id ?? '';
  const entry = { finding: id, reason: 'until March', owner: 'checkout-team', expires: '2026-12-31' };
  const gated = (report: Report, entries: readonly object[], file: string = 'baseline.yaml'): string => {
    const accepted = entries.map((change) => ({ ...entry, ...change }));
    const baseline = { file, digest: `sha256:${'0'.repeat(64)}`, accepted };
    return printed(withBaseline(report, baseline, '2026-11-21'), 100);
  };

  test('says nothing without a baseline', () => {
    expect(printed(oneFailure)).not.toMatch(/gate (passed|failed)/);
  });

  test('says that it passed, beside a verdict that stays what it is', () => {
    const text = gated(oneFailure, [{}]);
    expect(text).toContain('✓ gate passed  1 finding accepted, none new · baseline baseline.yaml');
    expect(text).toContain('✗ non-conformant');
    expect(text).toContain('accepted by checkout-team until 2026-12-31: until March');
  });

  test('fails with --fail-incomplete where a must case was not tested', () => {
    const run = { ...incomplete.run, options: { failIncomplete: true } };
    expect(gated({ ...incomplete, run }, [])).toMatch(
      /✗ gate failed {2}0 findings accepted, none new, [\d,]+ must cases not tested/,
    );
    expect(gated(incomplete, [])).toContain('✓ gate passed');
  });

  test('says what is new, stale, expired, unknown and not tested', () => {
    const text = gated(oneFailure, [
      { finding: 'ffffffff', operation: 'listPublicContactChannels' },
      { finding: 'fffffffe', expires: '2026-01-01' },
      { finding: 'fffffffd', operation: 'getOrders' },
    ]);
    expect(text).toContain('✗ gate failed  0 findings accepted, 1 new, 1 stale entry, 1 expired entry');
    expect(text).toContain(`new: ${id}`);
    expect(text).toContain(
      'Stale: remove from the baseline:\n  ffffffff  listPublicContactChannels (checkout-team)',
    );
    expect(text).toContain('fffffffe (checkout-team): it expired at the end of 2026-01-01');
    expect(text).toContain('fffffffd  getOrders (checkout-team): there is no operation getOrders');
  });

  test('shows what a baseline says escaped', () => {
    const text = gated(allGreen, [{ finding: 'ffffffff', owner: hostileText }], hostileText);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });
});
