import type { Element } from 'hast';
import { h } from 'hastscript';
import type { RecordedBody } from '../../harness/model/exchange.ts';
import { plural } from '../model/wording.ts';
import { shown } from './elements.ts';
import { indentJson, type JsonLine, pointersIn } from './indent-json.ts';

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
  if (body.truncated) parts.push('recorded only in part');
  if (!isWhole) parts.push('shown only in part, more in report.json');
  return parts.join(' · ');
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
      body.truncated || !isWhole ? h('span.cut', '\n(cut here)') : null,
    ]),
  ]);
}
