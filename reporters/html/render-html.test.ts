import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../harness/model/report.ts';
import { loadRequirements } from '../../spec/requirements.ts';
import { sentence } from '../model/wording.ts';
import {
  openCase,
  sampleReproduction as reproduction,
  sampleOperations,
  violatedCase,
} from '../testing/sample-cases-for-tests.ts';
import {
  allGreen,
  breachingMarkup,
  fiveCauses,
  harnessError,
  hostileBodies,
  incomplete,
  interrupted,
  oneCause,
  oneFailure,
  sampleReport,
  sampleReports,
} from '../testing/sample-reports-for-tests.ts';
import script from './page-script.js?raw';
import { renderHtml } from './render-html.ts';
import style from './style.css?raw';

// White space is folded before comparing.
const sampleReproduction = reproduction.replaceAll(/\s+/g, ' ');
const requirements = await loadRequirements();

/** Markup with what stands between the tags left out. */
function tagsOf(html: string): string[] {
  return (
    html
      .replace(script, '')
      .replace(style, '')
      .match(/<[^>"]*(?:"[^"]*"[^>"]*)*>/g) ?? []
  );
}

function attributes(html: string, name: string): string[] {
  return tagsOf(html).flatMap((tag) => {
    const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
    return value === undefined ? [] : [decode(value)];
  });
}

function decode(text: string): string {
  return text
    .replaceAll('&#x27;', "'")
    .replaceAll('&#x22;', '"')
    .replaceAll('&#x3C;', '<')
    .replaceAll('&#x26;', '&');
}

/** What a reader sees. */
function textOf(html: string): string {
  const text = html
    .replace(script, '')
    .replace(style, '')
    .replaceAll(/<[^>"]*(?:"[^"]*"[^>"]*)*>/g, ' ');
  return decode(text).replaceAll(/\s+/g, ' ');
}

describe.each(Object.entries(sampleReports))('the sample %s', (_, report) => {
  const html = renderHtml(report, requirements);

  test('is the same, byte for byte, each time', () => {
    expect(renderHtml(structuredClone(report), requirements)).toBe(html);
  });

  test('holds no invisible character, and nothing unsaid', () => {
    expect(html).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
    expect(textOf(html)).not.toMatch(/: undefined|NaN|\[object/);
  });

  test('has one script and one style, and the policy knows them by their hashes', () => {
    expect(tagsOf(html).filter((tag) => /^<(script|style|iframe|img|object|embed|base)\b/.test(tag))).toEqual(
      ['<style>', '<script>'],
    );
    expect(style).toContain(':root {');
    expect(html).toContain(`<style>${style}</style>`);
    const hash = (text: string): string => createHash('sha256').update(text).digest('base64');
    const policy = attributes(html, 'content').find((value) => value.startsWith('default-src'));
    expect(policy).toContain(`script-src 'sha256-${hash(script)}'`);
    expect(policy).toContain(`style-src 'sha256-${hash(style)}'`);
    expect(policy?.startsWith("default-src 'none'; ")).toBe(true);
  });

  test('asks for nothing from elsewhere and has no handler in its markup', () => {
    for (const href of attributes(html, 'href')) expect(href).toMatch(/^(#|data:image\/svg\+xml,)/);
    expect(
      tagsOf(html).filter((tag) =>
        / (on\w+|style|src|srcdoc|action|formaction)=/.test(tag.replaceAll(/"[^"]*"/g, '""')),
      ),
    ).toEqual([]);
  });

  test('links lead to ids, each of which is there once', () => {
    const ids = attributes(html, 'id');
    expect(new Set(ids).size).toBe(ids.length);
    const wanted = [
      ...attributes(html, 'href').filter((href) => href.startsWith('#')),
      ...attributes(html, 'aria-labelledby').map((id) => `#${id}`),
    ];
    for (const href of wanted) expect(ids).toContain(href.slice(1));
  });

  test('headings are in order, and every operation has its row', () => {
    const levels = [...html.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level));
    expect(levels[0]).toBe(1);
    for (const [at, level] of levels.entries())
      expect(level - (levels[at - 1] ?? 0), `heading ${at}`).toBeLessThanOrEqual(1);
    for (const { id } of report.operations)
      expect(tagsOf(html).filter((tag) => tag.startsWith('<tr ') && tag.includes(`"${id}"`)).length, id).toBe(
        2,
      );
  });

  test('tells its verdict, target and seed', () => {
    expect(textOf(html).toLowerCase()).toContain(` ${report.verdict}`);
    expect(textOf(html)).toContain(`Seed ${report.run.seed}`);
  });
});

test('a root cause says what is wrong, how to fix it, and shows its evidence', () => {
  const text = textOf(renderHtml(oneFailure, requirements));
  for (const part of [
    'An invalid key was accepted Look up the whole key exactly',
    'cannot be parsed. expected 401 → , got 200 create Hosted Checkout Session',
    'How to fix. Look up the whole key exactly',
    'Observed an unknown key is refused',
    'AUTH-3 must An invalid key answers 401',
    'Contract Authentication, rule 4: A failed authentication is answered with 401.',
    'seen in 3 of 3 tries · seed 7 · finding efc36cf8',
    'intermittent, seen in 1 of 40 tries',
    'POST /gateway/api/v1/open/hosted/checkout/sessions',
    'HTTP 200',
    '"merchant": "atelier-nord"',
    'Why it matters A key that is compared loosely can be guessed',
    'any format of keys, and any way to write one in the Authorization header',
    '1 note of level info, not counted',
    '429 responses carry the undeclared Retry-After header',
    sampleReproduction,
  ])
    expect(text).toContain(part);
});

test('a finding has its own id as anchor', () => {
  expect(attributes(renderHtml(oneFailure), 'id')).toContain('efc36cf8');
});

test('without requirements the page lacks the explanations and nothing else', () => {
  const text = textOf(renderHtml(oneFailure));
  expect(text).not.toContain('Why it matters');
  expect(text).toContain(sampleReproduction);
});

test('a root cause is one row with all its findings, and a number on the first screen', () => {
  const html = renderHtml(oneCause, requirements);
  const text = textOf(html);
  expect(text).toContain('root causes 3');
  expect(text).toContain('11 operations 40 findings AUTH-3');
  expect(text).toContain('39 more findings of this root cause');
  expect(text).toContain('expected 401 → , got 403');
  expect(tagsOf(html).filter((tag) => tag.includes('data-row'))).toHaveLength(3);
  expect(text.indexOf('Fix first')).toBeLessThan(text.indexOf('Operations by area'));
});

test('each step of a sequence has its own exchange', () => {
  const text = textOf(renderHtml(fiveCauses, requirements));
  expect(text).toContain('1. create Hosted Checkout Session 200 create');
  expect(text).toContain('4. get Hosted Checkout Session 200 second read');
});

test('cases that were not tested come first without root causes, by reason, with the line to add', () => {
  const text = textOf(renderHtml(incomplete, requirements));
  expect(text).toContain(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a target file says
    'No key without catalog:read is known. keys: unscoped: ${COMMERCE_KEY_UNSCOPED} 5 cases Add to the target file: keys: unscoped',
  );
  expect(text).toContain('Run again with: --max-requests 4000');
  expect(text).toContain('1 case none of level must');
  expect(text).toContain('cases not tested 12');
  expect(text.indexOf('Not tested: 12 cases')).toBeLessThan(text.indexOf('No tested case violates'));
});

test('where nothing was tested, the reason stands alone', () => {
  const unreachable = 'Every response is 503. Is the service down?';
  const { run } = interrupted;
  const report = sampleReport([openCase('getPublicProduct', 'a/b', 'the service was not reached')], {
    verdict: 'incomplete',
    reasons: [unreachable],
    run: { ...run, interrupted: false, unreachable },
  });
  const text = textOf(renderHtml(report));
  expect(text).toContain(`No verdict ${unreachable}`);
  expect(text).not.toMatch(/Operations by area|Observed statuses|Not tested:/);
});

test('the page claims no more than what was tested', () => {
  expect(textOf(renderHtml(allGreen))).toContain('No tested case violates a requirement.');
  expect(textOf(renderHtml(sampleReport([], { verdict: 'incomplete' })))).toContain('No case was tested.');
  expect(textOf(renderHtml(interrupted))).toContain('Incomplete, interrupted');
  expect(textOf(renderHtml(harnessError))).toContain('Defects of the harness, not of the target: 1 case');
});

test('the page shows the stack of a defect in lines', () => {
  const broken = {
    ...openCase('getApiKeyIdentity', 'a/b', 'TypeError: x\n  at y'),
    outcome: 'error' as const,
  };
  expect(textOf(renderHtml(sampleReport([broken])))).not.toContain('\\n');
});

test.each([
  ['the run was interrupted', 'The run was interrupted'],
  ['https://shop.example answered 503', 'https://shop.example answered 503'],
  ['/api is gone', '/api is gone'],
])('%j begins as %j', (text, shown) => {
  expect(sentence(text)).toBe(shown);
});

test('a failed case without a finding is told all the same', () => {
  const bare = { ...violatedCase('listPublicContactChannels', 'a/b'), findings: [] };
  expect(textOf(renderHtml(sampleReport([bare], { verdict: 'non-conformant' })))).toContain('Check a/b');
});

test.each(['pass', 'fail', 'warn', 'inconclusive', 'not-applicable', 'error'] as const)(
  'the outcome %s has its cell',
  (outcome: Outcome) => {
    const result = { ...openCase('listPublicContactChannels', 'area/a', 'why'), outcome };
    expect(renderHtml(sampleReport([result]))).toContain(`cell-${outcome}`);
  },
);

test('markup from the target is text, and only text', () => {
  const html = renderHtml(hostileBodies, requirements);
  expect(html).not.toContain(breachingMarkup);
  expect(html.split('</script>')).toHaveLength(2);
  expect(textOf(html)).toContain('<script>window.breached=1</script>');
  expect(textOf(html)).toContain('\\u{202e}turned\\u{2066}');
});

test('a flood is bounded', () => {
  expect(renderHtml(hostileBodies, requirements).length).toBeLessThan(1_500_000);
});

test('script and style cannot end their own elements', () => {
  expect(script).not.toMatch(/<\/?script|<!--/i);
  expect(style).not.toContain('</');
});

test('the first screen names the widest root causes, or the lines that complete the run', () => {
  expect(textOf(renderHtml(oneCause))).toContain(
    'Fix first ✗ fail An invalid key was accepted 11 operations ✗ fail An error response',
  );
  const text = textOf(renderHtml(incomplete));
  expect(text).toContain('To complete this run ? inconclusive No key without catalog:read is known. 5 cases');
});

test('every status that was seen has a column, and every root cause a title of its own', () => {
  const byStatus = { ...oneCause.traffic.byStatus, '502': 3, none: 1 };
  const html = renderHtml({ ...oneCause, traffic: { ...oneCause.traffic, byStatus } });
  expect(textOf(html)).toMatch(
    /Operation 200 400 401 403 404 409 429 502 none .* All requests 700 0 252 0 240 0 12 3 1 /,
  );
  const titles = [...html.matchAll(/<h3>(.*?)<span/g)].map(([, title]) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

test('thousands of findings do not become thousands of exchanges on the page', () => {
  const many = Array.from({ length: 2_000 }, (_, index) =>
    violatedCase(sampleOperations[index % 25]?.id ?? '', `auth/a-${index}`),
  );
  const causes = [
    {
      requirement: 'AUTH-3',
      signature: 'the same',
      operations: sampleOperations.map(({ id }) => id),
      count: many.length,
      example: many[0]?.findings[0]?.id ?? '',
    },
  ];
  const html = renderHtml(sampleReport(many, { verdict: 'non-conformant', causes }), requirements);
  expect(html.split('class="exchange"').length - 1).toBeLessThan(100);
  expect(html.length).toBeLessThan(2_200_000);
});
