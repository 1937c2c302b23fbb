import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../harness/model/report.ts';
import { loadRequirements } from '../../spec/requirements.ts';
import { breachingMarkup } from '../testing/hostile-exchanges.ts';
import { openCase, sampleReproduction as reproduction, violatedCase } from '../testing/sample-cases.ts';
import {
  allGreen,
  harnessError,
  hostileBodies,
  incomplete,
  interrupted,
  oneCause,
  oneFailure,
  sampleReport,
  sampleReports,
} from '../testing/sample-reports.ts';
import { renderHtml } from './render-html.ts';
import { script } from './script.ts';
import { style } from './style.ts';

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
    expect(textOf(html)).toContain(`seed ${report.run.seed}`);
  });
});

test('a finding reads as everywhere, with its evidence', () => {
  const text = textOf(renderHtml(oneFailure, requirements));
  for (const part of [
    'AUTH-3 must create Hosted Checkout Session : an unknown key is refused',
    '− expected 401 + got 200',
    'contract: Authentication, rule 4 · seen in 3 of 3 tries · seed 7 · finding 47a85246',
    'intermittent, seen in 1 of 40 tries',
    'POST /gateway/api/v1/open/hosted/checkout/sessions',
    'HTTP 200 expected 401',
    '"merchant": "atelier-nord"',
    'Why it matters. A key that is compared loosely can be guessed',
    'any format of keys, and any way to write one in the Authorization header',
    'RATE-3 info list Public Products : a 429 carried the undeclared Retry-After',
    sampleReproduction,
  ])
    expect(text).toContain(part);
});

test('the finding is reached by its id', () => {
  expect(attributes(renderHtml(oneFailure), 'id')).toContain('47a85246');
});

test('without requirements the page lacks the explanations and nothing else', () => {
  const text = textOf(renderHtml(oneFailure));
  expect(text).not.toContain('Why it matters');
  expect(text).toContain(sampleReproduction);
});

test('one cause is told once, before its findings', () => {
  const text = textOf(renderHtml(oneCause, requirements));
  expect(text).toContain('3 causes, 42 findings at 13 operations');
  expect(text).toContain('At 11 operations, 40 findings: ');
  expect(text).toContain('expected 401, got 403');
  expect(text.indexOf('What is wrong')).toBeLessThan(text.indexOf('Operations by area'));
});

test('what is not judged comes first where nothing failed, by what would decide it', () => {
  const text = textOf(renderHtml(incomplete, requirements));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a target file says
  expect(text).toContain('Add to the target file: decides 5 cases keys: unscoped: ${COMMERCE_KEY_UNSCOPED}');
  expect(text).toContain('Run again with a flag: decides 1 case --max-requests 4000');
  expect(text).toContain('No remedy known for 1 case, none of them a must');
  expect(text).toContain('240 of 252 cases judged, of a must 240 of 251');
  expect(text.indexOf('Not judged: 12 cases')).toBeLessThan(text.indexOf('What is wrong'));
});

test('what stands on the page does not claim more than was judged', () => {
  expect(textOf(renderHtml(allGreen))).toContain('No requirement is violated among what was judged.');
  expect(textOf(renderHtml(sampleReport([], { verdict: 'incomplete' })))).toContain(
    'Nothing was judged, so nothing can be said.',
  );
  expect(textOf(renderHtml(interrupted))).toContain('Incomplete, interrupted');
  expect(textOf(renderHtml(harnessError))).toContain('Defects of the harness, not of the target: 1 case');
});

test('a failed case without a finding is told all the same', () => {
  const bare = { ...violatedCase('getPublicContact', 'a/b'), findings: [] };
  expect(textOf(renderHtml(sampleReport([bare], { verdict: 'non-conformant' })))).toContain('check a/b');
});

test.each(['pass', 'fail', 'warn', 'inconclusive', 'not-applicable', 'error'] as const)(
  'the outcome %s has its cell',
  (outcome: Outcome) => {
    const result = { ...openCase('getPublicContact', 'area/a', 'why'), outcome };
    expect(renderHtml(sampleReport([result]))).toContain(`is-${outcome}`);
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

test('the first screen names the widest cause and what would decide the most', () => {
  expect(textOf(renderHtml(oneCause))).toContain(
    'To mend ✗ AUTH-3 an unknown key is refused : got 200 · 11 operations',
  );
  const text = textOf(renderHtml(incomplete));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a target file says
  expect(text).toContain('Add keys: unscoped: ${COMMERCE_KEY_UNSCOPED} · decides 5 cases');
  expect(text).toContain('and 1 more');
});
