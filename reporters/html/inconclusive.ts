import type { Element } from 'hast';
import { h } from 'hastscript';
import { plural } from '../terminal/wording.ts';
import { groupBy } from '../views/group-by.ts';
import type { OpenCases, Remedy } from '../views/open-cases.ts';
import { mark } from './mark.ts';
import { openAnchor, type PageModel } from './page-model.ts';
import { shellLine } from './shell-line.ts';
import { code, operationName, prose } from './shown-text.ts';

function opening(kind: Remedy['kind'], count: number): string {
  const cases = plural(count, 'case');
  switch (kind) {
    case 'target-file':
      return `Add to the target file: decides ${cases}`;
    case 'flag':
      return `Run again with a flag: decides ${cases}`;
    case 'advice':
      return `To do: decides ${cases}`;
    case 'none':
      return `Nothing known to decide ${cases}`;
  }
}

function remedyView({ kind, text }: Remedy): Element {
  if (kind === 'none' || kind === 'advice') return h('p', { className: ['remedy'] }, prose(text));
  if (kind === 'flag') return shellLine(text, 'flag');
  // Breaks and indentation belong to YAML.
  const lines = text.split('\n').flatMap((line, at) => [at === 0 ? '' : '\n', code(line)]);
  return h('div', { className: ['shell-line'] }, [
    h('pre', { dir: 'ltr' }, lines),
    h(
      'button',
      { type: 'button', hidden: true, dataCopy: '', ariaLabel: 'Copy: lines for the target file' },
      'Copy',
    ),
  ]);
}

function groupCard({ remedy, cases }: OpenCases, index: number): Element {
  const must = cases.filter(({ level }) => level === 'must').length;
  const byOperation = groupBy(cases, ({ operation }) => operation);
  return h(
    'article',
    {
      id: openAnchor(index),
      className: ['card', 'is-inconclusive'],
      tabIndex: -1,
      dataEntry: '',
      dataOutcome: 'inconclusive',
      dataOperations: [...byOperation.keys()].join(' '),
    },
    [
      h('div', { className: ['head'] }, [
        mark('inconclusive', 'inconclusive'),
        h('h3', `${opening(remedy.kind, cases.length)}${must === 0 ? ', none of them a must' : ''}`),
      ]),
      remedyView(remedy),
      h(
        'ul',
        { className: ['cases'] },
        [...byOperation].map(([operation, own]) =>
          h('li', [
            operationName(operation),
            h(
              'ul',
              own.map(({ check, level, message }) =>
                h('li', [
                  code(check, 200),
                  ` ${level}`,
                  remedy.kind === 'none' ? null : [': ', prose(message, 600)],
                ]),
              ),
            ),
          ]),
        ),
      ),
    ],
  );
}

/** What could not be judged, by the line or deed that would decide it; null where all was judged. */
export function inconclusiveSection({ open }: PageModel): Element | null {
  if (open.length === 0) return null;
  const count = open.reduce((sum, { cases }) => sum + cases.length, 0);
  return h('section', { id: 'open', ariaLabelledBy: 'open-title' }, [
    h('h2', { id: 'open-title' }, `Not judged: ${plural(count, 'case')}`),
    ...open.map(groupCard),
  ]);
}
