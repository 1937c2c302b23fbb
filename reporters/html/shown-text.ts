import type { Element } from 'hast';
import { h } from 'hastscript';
import { escapeText } from '../model/escape.ts';

// Long enough for any line that a person would read; a flood is cut and says so.
const longest = 2_000;

/** A text that may come from a target, what is invisible in it made visible. */
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

/** An operation's name, which may be broken where its words meet. */
export function operationName(id: string): Element {
  const words = shown(id, 120).split(/(?<=[a-z])(?=[A-Z])/);
  return h(
    'span',
    { className: ['operation'] },
    words.flatMap((word, at) => (at === 0 ? [word] : [h('wbr'), word])),
  );
}
