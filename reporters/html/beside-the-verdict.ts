import type { Element } from 'hast';
import { h } from 'hastscript';
import { additionalView } from '../model/additional.ts';
import { plural } from '../model/wording.ts';
import { errorAnchor, type PageModel } from './page-model.ts';
import { rowView, sectionView } from './row.ts';
import { shellLine } from './shell-line.ts';
import { code, operationName, prose, shown } from './shown-text.ts';

/** Cases in which the harness itself failed, which say nothing about the target; null without any. */
export function harnessErrorsSection({ errors }: PageModel): Element | null {
  if (errors.length === 0) return null;
  return sectionView(
    'errors',
    `Defects of the harness, not of the target: ${plural(errors.length, 'case')}`,
    [
      h(
        'div',
        { className: ['rows'] },
        errors.map(({ operation, check, message }, index) =>
          rowView({
            id: errorAnchor(index),
            sign: 'error',
            operations: [operation],
            headline: [prose(message, 200)],
            facts: [operationName(operation)],
            body: [h('p', code(check, 200)), h('p', prose(message))],
          }),
        ),
      ),
    ],
  );
}

/** Results of custom checks, which are no part of the verdict; null without any. */
export function customChecksSection({ report }: PageModel): Element | null {
  const view = additionalView(report, (text) => text);
  if (view === undefined) return null;
  return sectionView(
    'additional',
    shown(view.heading, 400),
    view.entries.map(({ says, title, details, reproduction }) =>
      h('div', { className: ['custom'] }, [
        h('h3', [`${says}: `, prose(title)]),
        ...details.map((detail) => h('p', prose(detail))),
        reproduction === null ? null : shellLine(reproduction, 'command that reproduces it'),
      ]),
    ),
  );
}
