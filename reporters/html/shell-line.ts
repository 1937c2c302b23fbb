import type { Element } from 'hast';
import { h } from 'hastscript';
import { code, shown } from './shown-text.ts';

// Long enough for any line that a person runs.
const longest = 20_000;

function copyable(line: Parameters<typeof h>[2], name: string, remark: Element | null): Element {
  return h('div', { className: ['shell-line'] }, [
    h('pre', { dir: 'ltr' }, line),
    h('button', { type: 'button', hidden: true, dataCopy: '', ariaLabel: `Copy: ${name}` }, 'Copy'),
    remark,
  ]);
}

/** A line to be copied; its button appears where the script runs. */
export function shellLine(text: string, name: string): Element {
  const line = shown(text, longest);
  const remark =
    line === text
      ? null
      : h(
          'p',
          { className: ['quiet'] },
          'Holds characters that are shown as escapes; report.json has the exact line.',
        );
  return copyable(h('code', line), name, remark);
}

/** Lines of YAML to be copied, with their breaks and indentation. */
export function codeLines(text: string, name: string): Element {
  const lines = text.split('\n').flatMap((line, at) => [at === 0 ? '' : '\n', code(line)]);
  return copyable(lines, name, null);
}
