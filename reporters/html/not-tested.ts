import type { Element } from 'hast';
import { h } from 'hastscript';
import { groupBy } from '../model/group-by.ts';
import { type OpenCases, type Remedy, reasonOf } from '../model/open-cases.ts';
import { wasTested } from '../model/run-figures.ts';
import { plural } from '../model/wording.ts';
import { openAnchor, type PageModel } from './page-model.ts';
import { rowView, sectionView } from './row.ts';
import { codeLines, shellLine } from './shell-line.ts';
import { code, operationName, prose, shown } from './shown-text.ts';

function remedyView({ kind, text }: Remedy): (Element | null)[] {
  switch (kind) {
    case 'target-file':
      return [h('p', 'Add to the target file:'), codeLines(text, 'lines for the target file')];
    case 'flag':
      return [h('p', 'Run again with:'), shellLine(text, 'flag')];
    case 'advice':
      return [h('p', { className: ['fix'] }, prose(text))];
    case 'none':
      return [h('p', { className: ['quiet'] }, 'No line of the target file and no flag is known to help.')];
  }
}

function reasonRow({ remedy, cases }: OpenCases, index: number): Element {
  const must = cases.filter(({ level }) => level === 'must').length;
  const byCheck = groupBy(cases, ({ check }) => check);
  return rowView({
    id: openAnchor(index),
    sign: 'inconclusive',
    operations: cases.map(({ operation }) => operation),
    headline: [prose(reasonOf(cases), 200)],
    advice: remedy.kind === 'none' ? null : shown(remedy.text.replaceAll(/\s+/g, ' '), 300),
    facts: [plural(cases.length, 'case'), must === cases.length ? null : `${must} of level must`],
    body: [
      ...remedyView(remedy),
      h(
        'ul',
        { className: ['findings'] },
        [...byCheck].map(([check, same]) =>
          h('li', [
            code(check, 200),
            h(
              'ul',
              { className: ['chips'] },
              same.map(({ operation }) => h('li', operationName(operation))),
            ),
          ]),
        ),
      ),
    ],
  });
}

/** Cases that were not tested by reason, each with the line to add; null where everything was tested. */
export function notTestedSection({ open, report }: PageModel): Element | null {
  if (open.length === 0 || !wasTested(report)) return null;
  const count = open.reduce((sum, { cases }) => sum + cases.length, 0);
  return sectionView('open', `Not tested: ${plural(count, 'case')}`, [
    h('div', { className: ['rows'] }, open.map(reasonRow)),
  ]);
}
