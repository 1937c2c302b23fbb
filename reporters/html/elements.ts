import { hash } from 'node:crypto';
import type { Element, ElementContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { h, s } from 'hastscript';
import type { Outcome, Verdict } from '../../harness/model/report.ts';
import type { Text } from '../blocks/block.ts';
import { outcomeMarks } from '../model/marks.ts';
import { escapeText, plural } from '../model/wording.ts';

/** One thing that an element holds, or nothing. */
export type Child = ElementContent | string | null | undefined;

/** The content of an element. */
export type Content = Child | readonly Child[];

// Long enough for any line that a person would read; a flood is cut and says so.
const longest = 2_000;
// Long enough for any line that a person runs.
const longestShellLine = 20_000;

/** A text that may come from a target, with invisible characters made visible. */
export function shown(text: string, limit: number = longest): string {
  return escapeText(text, limit);
}

/** A text that may come from a target as code, kept apart so that it cannot turn the direction of its surroundings. */
export function code(text: string, limit: number = longest): Element {
  return h('code', { dir: 'ltr' }, shown(text, limit));
}

/** The same for prose. */
export function prose(text: string, limit: number = longest): Element {
  return h('bdi', { dir: 'ltr' }, shown(text, limit));
}

/** A text with its foreign parts kept apart. */
export function textView(text: Text): (Element | string)[] {
  return text.map((part) => (typeof part === 'string' ? part : prose(part.foreign, part.most)));
}

/** An operation's name, which may be broken where its words meet. */
export function operationName(id: string): Element {
  const words = shown(id, 120).split(/(?<=[a-z])(?=[A-Z])/);
  const parts = words.flatMap((word, at) => (at === 0 ? [word] : [h('wbr'), word]));
  return h('span.operation', parts);
}

/** The name of the only operation, or how many there are. */
export function operationsView(operations: readonly string[]): Element | string {
  const [only = ''] = operations;
  return operations.length === 1 ? operationName(only) : plural(operations.length, 'operation');
}

/** A list of operations. */
export function chips(items: readonly Element[]): Element {
  return h('ul.chips', { ariaLabel: 'Operations' }, [...items]);
}

/** Names and values; a row without a value is left out. */
export function sheet(facts: ReadonlyArray<readonly [name: string, value: Content]>): Element {
  const known = facts.filter(([, value]) => value !== null && value !== undefined);
  return h('dl.sheet', [...known.flatMap(([name, value]) => [h('dt', name), h('dd', [value].flat())])]);
}

function copyable(line: Content, name: string, remark: Element | null): Element {
  return h('div.shell-line', [
    h('pre', { dir: 'ltr' }, [line].flat()),
    h('button', { type: 'button', hidden: true, dataCopy: '', ariaLabel: `Copy: ${name}` }, 'Copy'),
    remark,
  ]);
}

/** A line to be copied; its button appears where the script runs. */
export function shellLine(text: string, name: string): Element {
  const line = shown(text, longestShellLine);
  const remark = 'Contains characters that are shown as escapes; report.json has the exact line.';
  return copyable(h('code', line), name, line === text ? null : h('p.quiet', remark));
}

/** Lines to be copied, with their breaks and indentation. */
export function codeLines(text: string, name: string): Element {
  const lines = text.split('\n').flatMap((line, at) => [at === 0 ? '' : '\n', code(line)]);
  return copyable(lines, name, null);
}

/** The meaning of a cell or a row. */
export type Sign = Outcome | 'note' | 'not-run';

/** The sign that reads without color, and its word. */
export const signs: Readonly<Record<Sign, { readonly sign: string; readonly word: string }>> = {
  ...outcomeMarks,
  note: { sign: 'i', word: 'note' },
  'not-applicable': { sign: '·', word: 'not applicable' },
  'not-run': { sign: '–', word: 'not run' },
};

/** A sign, and its word for readers who cannot see it. */
export function signView(sign: string, says: string): Element[] {
  return [h('span', { ariaHidden: 'true' }, sign), h('span.unseen', says)];
}

/** A sign in its color and shape. */
export function mark(sign: Sign, says: string = signs[sign].word): Element {
  return h(`span.mark.is-${sign}`, signView(signs[sign].sign, says));
}

/** A row of a list that opens. */
export interface Row {
  readonly id: string;
  readonly sign: Sign;
  readonly operations: readonly string[];
  readonly headline: Text;
  /** The fix, in one line below the headline. */
  readonly advice?: string | undefined;
  readonly facts: readonly Child[];
  readonly body: readonly Child[];
}

/** A row of a list that opens; the script filters rows and moves between them. */
export function rowView({ id, sign, operations, headline, advice, facts, body }: Row): Element {
  const data = { dataRow: '', dataOutcome: sign, dataOperations: [...new Set(operations)].join(' ') };
  const told = facts.flatMap((fact) => (fact ? [h('span', fact)] : []));
  const title = h('h3', [...textView(headline), advice && h('span.advice', advice)]);
  return h(`details.row.is-${sign}`, { id, ...data }, [
    h('summary', [mark(sign), title, h('span.facts', told)]),
    h('div.body', [...body]),
  ]);
}

/** A section of the page with its heading. */
export function sectionView(id: string, title: string, children: readonly Child[]): Element {
  const titleId = `${id}-title`;
  return h('section', { id, ariaLabelledBy: titleId }, [h('h2', { id: titleId }, title), ...children]);
}

/** A table of operations that scrolls sideways, in a section with an id. */
export function gridView(
  section: string,
  className: string,
  caption: string,
  headings: readonly Element[],
  parts: readonly Element[],
): Element {
  const head = h('thead', h('tr', [h('th', { scope: 'col' }, 'Operation'), ...headings]));
  return h('div.scroll', { tabIndex: 0, role: 'group', ariaLabelledBy: `${section}-title` }, [
    h(`table.grid${className}`, [h('caption.unseen', caption), head, ...parts]),
  ]);
}

/** Drawings in a square of 48 that distinguish the verdicts without colour: circle, octagon, square, triangle. */
const drawings: Readonly<Record<Verdict, readonly [outline: string, glyph: string]>> = {
  conformant: ['M24 2a22 22 0 1 0 0 44a22 22 0 1 0 0-44z', 'M13 25l8 8l15-17'],
  'non-conformant': ['M15 2h18l13 13v18l-13 13h-18l-13-13v-18z', 'M16 16l16 16M32 16l-16 16'],
  incomplete: [
    'M11 3h26a8 8 0 0 1 8 8v26a8 8 0 0 1-8 8h-26a8 8 0 0 1-8-8v-26a8 8 0 0 1 8-8z',
    'M18.500 19a5.500 5.500 0 1 1 7.700 5q-2.200 1-2.200 4M24 33.500v1',
  ],
  error: ['M24 3l23 42h-46z', 'M24 19v12M24 37v1'],
};

/** The sign of a verdict as a drawing. */
export function verdictSign(verdict: Verdict, fill?: string, stroke?: string): Element {
  const [outline, glyph] = drawings[verdict];
  const line = { fill: 'none', strokeWidth: '5', strokeLinecap: 'round', strokeLinejoin: 'round' };
  const size = { viewBox: '0 0 48 48', width: '28', height: '28' };
  const about = { xmlns: 'http://www.w3.org/2000/svg', ...size, ariaHidden: 'true', focusable: 'false' };
  return s('svg.verdict-sign', about, [
    s('path.outline', { d: outline, fill }),
    s('path.glyph', { d: glyph, ...line, stroke }),
  ]);
}

/** What a page has beside its content; `images` is where they come from. */
interface Page {
  readonly title: string;
  readonly style: string;
  readonly script?: string;
  readonly images: string;
  readonly icon?: string;
}

/** A whole page: nothing but its own style and script apply, and nothing comes from another site. */
export function renderPage({ title, style, script, images, icon }: Page, content: readonly Child[]): string {
  const own = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;
  const scripts = script === undefined ? '' : `script-src ${own(script)}; `;
  const policy = `default-src 'none'; style-src ${own(style)}; ${scripts}img-src ${images}; base-uri 'none'; form-action 'none'`;
  const head = h('head', [
    h('meta', { charSet: 'utf-8' }),
    h('meta', { httpEquiv: 'Content-Security-Policy', content: policy }),
    h('meta', { name: 'generator', content: 'commerce-conformance' }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'color-scheme', content: 'light dark' }),
    h('meta', { name: 'referrer', content: 'no-referrer' }),
    h('title', title),
    icon === undefined ? null : h('link', { rel: 'icon', href: icon }),
    h('style', style),
  ]);
  const body = h('body', [...content, script === undefined ? null : h('script', script)]);
  return `${toHtml([{ type: 'doctype' }, h('html', { lang: 'en' }, [head, body])])}\n`;
}
