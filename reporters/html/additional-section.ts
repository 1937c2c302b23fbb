import type { Element } from 'hast';
import { h } from 'hastscript';
import { additionalView } from '../model/additional.ts';
import type { PageModel } from './page-model.ts';
import { code, prose, shown } from './shown-text.ts';

/** What checks of the user came to, apart from all that concerns the contract; null where there were none. */
export function additionalSection({ report }: PageModel): Element | null {
  const view = additionalView(report, (text) => text);
  if (view === undefined) return null;
  return h('section', { id: 'additional', ariaLabelledBy: 'additional-title' }, [
    h('h2', { id: 'additional-title' }, shown(view.heading, 400)),
    ...view.entries.map(({ says, title, details, reproduction }) =>
      h('article', { className: ['card'] }, [
        h('div', { className: ['head'] }, [h('h3', [`${says}: `, prose(title)])]),
        ...details.map((detail) => h('p', prose(detail))),
        ...(reproduction === null ? [] : [h('p', code(reproduction, 20_000))]),
      ]),
    ),
  ]);
}
