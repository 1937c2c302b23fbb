import type { Element } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { expect, test } from 'vitest';
import type { RecordedBody } from '../../harness/model/exchange.ts';
import { bodyView, shownCharacters } from './body-view.ts';

function view(text: string, change: Partial<RecordedBody> = {}, message: string = ''): Element {
  const body: RecordedBody = {
    text,
    encoding: 'utf-8',
    bytes: text.length,
    truncated: false,
    json: 'malformed',
  };
  return bodyView({ ...body, ...change }, 'Response body', message);
}

test('JSON is indented, and the member that is spoken of is pointed out', () => {
  expect(
    toHtml(view('{"price":{"amount":"1"}}', { json: 'object' }, '/price/amount must be number')),
  ).toContain('<code>{\n  "price": {\n<mark>    "amount": "1"</mark>\n  }\n}</code>');
});

test('what is cut says so, and how large it was', () => {
  const html = toHtml(view('x'.repeat(shownCharacters + 1), { truncated: true, bytes: 1_048_576 }));
  expect(html).toContain(
    '1,048,576 bytes · not JSON · recorded only in part · shown only in part, more in report.json',
  );
  expect(html).toContain('(cut here)');
});

test('a long body without the ends of its lists says so', () => {
  const html = toHtml(view('{"items":[1,2]}', { json: 'object', truncated: true, bytes: 1_048_576 }));
  expect(html).toContain('JSON, object · recorded without the ends of lists and texts');
  expect(html).not.toContain('(cut here)');
});

test('a body of brackets does not become a page of lines', () => {
  const html = toHtml(view('['.repeat(9_000), { json: 'array' }));
  expect(html.split('\n').length).toBeLessThan(500);
  expect(html).toContain('shown only in part');
});

test('a body shown whole does not say that it is cut', () => {
  expect(toHtml(view('{"a":1}', { json: 'object' }))).not.toContain('cut');
});

test('bytes that are no text and bodies that are empty are called so', () => {
  expect(toHtml(view('AP8=', { encoding: 'base64', bytes: 2 }))).toContain(
    '2 bytes · not UTF-8, shown as base64',
  );
  expect(toHtml(view('', { json: 'empty', bytes: 0 }))).toContain('Response body: empty');
});

test('a tall body can be reached with the keyboard, a short one is no stop on the way', () => {
  expect(toHtml(view('a\n'.repeat(100)))).toContain('tabindex="0"');
  expect(toHtml(view('a'))).not.toContain('tabindex');
});
