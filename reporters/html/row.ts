import type { Element, ElementContent } from 'hast';
import { h } from 'hastscript';
import { mark, type Sign } from './mark.ts';

/** A row of a list that opens. */
export interface Row {
  readonly id: string;
  readonly sign: Sign;
  readonly operations: readonly string[];
  readonly headline: readonly (ElementContent | string)[];
  /** What to do, in one line below the headline. */
  readonly advice?: string | null;
  /** What stands at the right of the headline. */
  readonly facts: readonly (Element | string | null)[];
  readonly body: readonly (Element | string | null)[];
}

/** A row of a list that opens; the script filters rows and moves between them. */
export function rowView({ id, sign, operations, headline, advice = null, facts, body }: Row): Element {
  return h(
    'details',
    {
      id,
      className: ['row', `is-${sign}`],
      dataRow: '',
      dataOutcome: sign,
      dataOperations: [...new Set(operations)].join(' '),
    },
    [
      h('summary', [
        mark(sign),
        h('h3', [...headline, advice === null ? null : h('span', { className: ['advice'] }, advice)]),
        h(
          'span',
          { className: ['facts'] },
          facts.flatMap((fact) => (fact === null ? [] : [h('span', fact)])),
        ),
      ]),
      h('div', { className: ['body'] }, [...body]),
    ],
  );
}

/** A section of the page with its heading. */
export function sectionView(
  id: string,
  title: string,
  children: readonly (Element | Element[] | null)[],
): Element {
  return h('section', { id, ariaLabelledBy: `${id}-title` }, [
    h('h2', { id: `${id}-title` }, title),
    ...children.flat(),
  ]);
}
