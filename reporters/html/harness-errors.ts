import type { Element } from 'hast';
import { h } from 'hastscript';
import { plural } from '../model/wording.ts';
import { mark } from './mark.ts';
import { errorAnchor, type PageModel } from './page-model.ts';
import { code, operationName, prose } from './shown-text.ts';

/** Cases in which the harness itself failed, which say nothing about the target; null where there are none. */
export function harnessErrorsSection({ report }: PageModel): Element | null {
  const errors = report.results.filter(({ outcome }) => outcome === 'error');
  if (errors.length === 0) return null;
  return h('section', { id: 'errors', ariaLabelledBy: 'errors-title' }, [
    h(
      'h2',
      { id: 'errors-title' },
      `Defects of the harness, not of the target: ${plural(errors.length, 'case')}`,
    ),
    ...errors.map(({ operation, check, message }, index) =>
      h(
        'article',
        {
          id: errorAnchor(index),
          className: ['card', 'is-error'],
          tabIndex: -1,
          dataEntry: '',
          dataOutcome: 'error',
          dataOperations: operation,
        },
        [
          h('div', { className: ['head'] }, [
            mark('error', 'harness error'),
            h('h3', [operationName(operation), ': ', code(check, 200)]),
          ]),
          h('p', prose(message)),
        ],
      ),
    ),
  ]);
}
