import type { Element } from 'hast';
import { h } from 'hastscript';
import { shown } from './shown-text.ts';

// As in the terminal: any line that a person would run is whole.
const longest = 20_000;

/** A line to be copied; its button appears where the script runs. */
export function shellLine(text: string, name: string): Element {
  const line = shown(text, longest);
  const isExact = line === text;
  return h('div', { className: ['shell-line'] }, [
    h('pre', { dir: 'ltr' }, h('code', line)),
    h('button', { type: 'button', hidden: true, dataCopy: '', ariaLabel: `Copy: ${name}` }, 'Copy'),
    isExact
      ? null
      : h(
          'p',
          { className: ['remark'] },
          'Holds characters shown here as escapes; report.json has the exact line.',
        ),
  ]);
}
