import type { Element } from 'hast';
import { h } from 'hastscript';
import { parseBody } from '../../harness/evidence/answer.ts';
import { escapeStep } from '../../harness/json-pointers.ts';
import type { RecordedBody } from '../../harness/model/exchange.ts';
import { tried } from '../../harness/tried.ts';
import { plural } from '../model/wording.ts';
import { shown } from './elements.ts';

/** Characters of a body that the page shows; the report file has more. */
export const shownCharacters = 12_000;

// A body of brackets has a line for each of them.
const shownLines = 400;

const longLine = 4_000;
// Taller bodies scroll, and what scrolls must be reachable with the keyboard.
const tallBody = { lines: 24, characters: 1_500 };

/** The lines of a body, one more than are shown where there are more. */
function linesOf(body: RecordedBody): readonly JsonLine[] {
  const text = body.text.slice(0, shownCharacters);
  const most = shownLines + 1;
  if (body.encoding === 'utf-8' && (body.json === 'object' || body.json === 'array'))
    return indentJson(text, most);
  return text.split(/\r?\n/, most).map((line) => ({ text: line, pointer: '' }));
}

function remarks(body: RecordedBody, isWhole: boolean): string {
  const parts = [plural(body.bytes, 'byte')];
  if (body.encoding === 'base64') parts.push('not UTF-8, shown as base64');
  else parts.push(body.json === 'malformed' ? 'not JSON' : `JSON, ${body.json}`);
  if (body.truncated)
    parts.push(isShortened(body) ? 'recorded without the ends of lists and texts' : 'recorded only in part');
  if (!isWhole) parts.push('shown only in part, more in report.json');
  return parts.join(' · ');
}

/** Whether a long body is recorded as JSON with all its members. */
function isShortened(body: RecordedBody): boolean {
  return body.truncated && parseBody(body) !== undefined;
}

/** A body as it was sent, JSON indented; lines whose JSON Pointer `message` names are pointed out. */
export function bodyView(body: RecordedBody, name: string, message: string): Element {
  if (body.json === 'empty') return h('p.quiet', `${name}: empty`);
  const all = linesOf(body);
  const lines = all.slice(0, shownLines);
  const pointers = pointersIn(message);
  const isWhole = body.text.length <= shownCharacters && all.length <= shownLines;
  const isTall = lines.length > tallBody.lines || body.text.length > tallBody.characters;
  const content = lines.flatMap(({ text, pointer }, at) => {
    const line = shown(text, longLine);
    const differs = pointer !== '' && pointers.some((pattern) => pattern.test(pointer));
    return [at === 0 ? '' : '\n', differs ? h('mark', line) : line];
  });
  return h('figure.text-body', [
    h('figcaption', `${name} · ${remarks(body, isWhole)}`),
    h('pre', { dir: 'ltr', ...(isTall ? { tabIndex: 0, role: 'group', ariaLabel: name } : {}) }, [
      h('code', content),
      (body.truncated && !isShortened(body)) || !isWhole ? h('span.cut', '\n(cut here)') : null,
    ]),
  ]);
}

/** A line of an indented JSON text, and the JSON Pointer of the value that begins on it. */
interface JsonLine {
  readonly text: string;
  readonly pointer: string;
}

interface Level {
  readonly pointer: string;
  /** Undefined in an object. */
  index: number | undefined;
}

// Deeper levels are not indented further: a hostile document would be nothing but white space.
const deepestIndentation = 24;
const token = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/gs;

/**
 * Breaks and indents a JSON text without parsing it, so that numbers, escapes and repeated names stay as they were
 * sent; a text that is cut off is indented up to the cut. Stops after `most` lines.
 */
export function indentJson(text: string, most: number): JsonLine[] {
  const lines: JsonLine[] = [];
  const levels: Level[] = [];
  let current = '';
  let pointer = '';
  let last = '';
  const begin = (next: string): void => {
    if (current !== '') lines.push({ text: current, pointer });
    current = '  '.repeat(Math.min(levels.length, deepestIndentation));
    pointer = next;
  };
  for (const [word] of text.matchAll(token)) {
    if (lines.length >= most) return lines;
    const level = levels.at(-1);
    if (word === '}' || word === ']') {
      levels.pop();
      if (last !== '{' && last !== '[') begin(level?.pointer ?? '');
      current += word;
    } else if (word === ',') {
      current += word;
      if (level?.index !== undefined) level.index += 1;
    } else if (word === ':') {
      current += ': ';
    } else {
      if (last === ',' || last === '{' || last === '[')
        begin(level === undefined ? pointer : `${level.pointer}/${level.index ?? nameOf(word)}`);
      current += word;
      if (word === '{' || word === '[') levels.push({ pointer, index: word === '[' ? 0 : undefined });
    }
    last = word;
  }
  return current === '' ? lines : [...lines, { text: current, pointer }];
}

function nameOf(word: string): string {
  // A name that is cut off stays as it is.
  return escapeStep(String(tried(JSON.parse, word) ?? word));
}

/** The pointers that a message names, `*` standing for any index of a list. */
export function pointersIn(message: string): RegExp[] {
  const named = message.match(/(?<![\w:/.*<])(?:\/[\w~*$-]+)+/g) ?? [];
  return named.map((pointer) => {
    const steps = pointer
      .slice(1)
      .split('/')
      .map((step) => (step === '*' ? '\\d+' : step.replaceAll(/[$*]/g, '\\$&')));
    return new RegExp(`^/${steps.join('/')}$`);
  });
}
