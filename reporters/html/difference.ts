import type { Element, ElementContent } from 'hast';
import { h } from 'hastscript';
import { shown } from './shown-text.ts';

/** A part of a text, and whether it is what differs. */
export interface Part {
  readonly text: string;
  readonly differs: boolean;
}

/** Two texts word by word: what stands before and after is common to both, what lies between differs. */
export function compareWords(expected: string, actual: string): readonly [expected: Part[], actual: Part[]] {
  const left = words(expected);
  const right = words(actual);
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  const room = Math.min(left.length, right.length) - start;
  while (end < room && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  return [partsOf(left, start, end), partsOf(right, start, end)];
}

function words(text: string): string[] {
  return text.split(/(\s+|[,;()[\]{}])/).filter((word) => word !== '');
}

function partsOf(all: readonly string[], start: number, end: number): Part[] {
  const middle = all.length - end;
  return [
    { text: all.slice(0, start).join(''), differs: false },
    { text: all.slice(start, middle).join(''), differs: true },
    { text: all.slice(middle).join(''), differs: false },
  ].filter(({ text }) => text !== '');
}

function line(kind: 'expected' | 'got', parts: readonly Part[]): Element {
  // Where all differs there is nothing to set off.
  const isMixed = parts.length > 1;
  const content: ElementContent[] = parts.map(({ text, differs }) =>
    differs && isMixed ? h('strong', shown(text)) : { type: 'text', value: shown(text) },
  );
  return h('div', { className: [kind] }, [
    h('dt', [
      h('span', { className: ['side'], ariaHidden: 'true' }, kind === 'expected' ? '−' : '+'),
      ` ${kind}`,
    ]),
    h('dd', { dir: 'ltr' }, content.length > 0 ? content : 'nothing'),
  ]);
}

/** Expected above got, with what differs set off; null where the case says neither. */
export function difference(expected: string | null, actual: string | null): Element | null {
  if (expected === null && actual === null) return null;
  const [left, right] = compareWords(expected ?? '', actual ?? '');
  return h('dl', { className: ['difference'] }, [
    expected === null ? null : line('expected', left),
    actual === null ? null : line('got', right),
  ]);
}
