import type { Element } from 'hast';
import { h } from 'hastscript';
import type { CaseResult } from '../../harness/model/report.ts';
import { groupBy } from '../model/group-by.ts';
import type { OpenCases, Remedy } from '../model/open-cases.ts';
import { plural } from '../model/wording.ts';
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
      return `No remedy known for ${cases}`;
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

function alikeItem(relatedExchanges: readonly CaseResult[], kind: Remedy['kind']): Element | null {
  const [first] = relatedExchanges;
  if (first === undefined) return null;
  return h('li', [
    code(first.check, 200),
    ` ${first.level}`,
    kind === 'none' ? null : [': ', prose(first.message, 600)],
    h(
      'ul',
      { className: ['operations'] },
      relatedExchanges.map(({ operation }) => h('li', operationName(operation))),
    ),
  ]);
}

function groupCard({ remedy, cases }: OpenCases, index: number): Element {
  const must = cases.filter(({ level }) => level === 'must').length;
  return h(
    'article',
    {
      id: openAnchor(index),
      className: ['card', 'is-inconclusive'],
      tabIndex: -1,
      dataEntry: '',
      dataOutcome: 'inconclusive',
      dataOperations: [...new Set(cases.map(({ operation }) => operation))].join(' '),
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
        [
          ...groupBy(cases, ({ check, level, message }) => JSON.stringify([check, level, message])).values(),
        ].map((relatedExchanges) => alikeItem(relatedExchanges, remedy.kind)),
      ),
    ],
  );
}

/** What could not be judged, by the line or deed that would decide it; null where all was judged. */
export function inconclusiveSection({ open }: PageModel): Element | null {
  if (open.length === 0) return null;
  const count = open.reduce((sum, { cases }) => sum + cases.length, 0);
  return h('section', { id: 'open', ariaLabelledBy: 'open-title' }, [
    h('h2', { id: 'open-title' }, `Not evaluated: ${plural(count, 'case')}`),
    ...open.map(groupCard),
  ]);
}
