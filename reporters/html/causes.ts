import type { Element } from 'hast';
import { h } from 'hastscript';
import { expectationText } from '../model/finding-text.ts';
import { groupBy } from '../model/group-by.ts';
import { number, plural } from '../model/wording.ts';
import { difference } from './difference.ts';
import { weightMark } from './mark.ts';
import { type CauseEntries, causeAnchor, type Entry, type PageModel } from './page-model.ts';
import { shellLine } from './shell-line.ts';
import { operationName, prose, shown } from './shown-text.ts';

function operationItem(entries: readonly Entry[], usual: string | null): Element | null {
  const [first] = entries;
  if (first === undefined) return null;
  const different = entries
    .map(({ violation }) => expectationText(violation, shown))
    .find((text) => text !== null && text !== usual);
  return h('li', [
    h('a', { href: `#${first.anchor}` }, operationName(first.violation.operation)),
    entries.length === 1 ? null : ` × ${number(entries.length)}`,
    different === undefined ? null : h('bdi', { dir: 'ltr', className: ['differs'] }, ` ${different}`),
  ]);
}

function causeCard({ entries, weight }: CauseEntries, index: number, model: PageModel): Element {
  const { requirements, report } = model;
  const [example] = entries;
  const { violation } = example;
  const byOperation = groupBy(entries, (entry) => entry.violation.operation);
  const usual = expectationText(violation, shown);
  const isWhole = byOperation.size === report.operations.length;
  const requirement = requirements.get(violation.requirement);
  const findings = entries.length > byOperation.size ? `, ${plural(entries.length, 'finding')}` : '';
  return h(
    'article',
    {
      id: causeAnchor(index),
      className: ['card', `is-${weight}`],
      tabIndex: -1,
      dataEntry: '',
      dataOutcome: weight,
      dataOperations: [...byOperation.keys()].join(' '),
    },
    [
      h('div', { className: ['head'] }, [
        weightMark(weight),
        h('h3', [
          h('span', { className: ['tag'] }, `${shown(violation.requirement, 60)} ${violation.level}`),
          ' ',
          prose(violation.message),
        ]),
      ]),
      difference(violation.expected, violation.actual),
      h('div', { className: ['where'] }, [
        h(
          'b',
          `At ${isWhole ? `all ${number(byOperation.size)} operations` : plural(byOperation.size, 'operation')}${findings}:`,
        ),
        h(
          'ul',
          { className: ['operations'] },
          [...byOperation.values()].map((same) => operationItem(same, usual)),
        ),
      ]),
      requirement === undefined ? null : h('p', [h('b', 'Why it matters. '), requirement.rationale]),
      violation.finding === null
        ? null
        : [
            h('p', { className: ['facts'] }, [
              'See it again · ',
              h('bdi', { dir: 'ltr' }, `contract: ${shown(violation.finding.contract)}`),
              ' · ',
              h('a', { href: `#${example.anchor}` }, 'evidence'),
            ]),
            shellLine(
              violation.finding.reproduction,
              `shell line of ${shown(violation.requirement, 60)}, finding ${shown(violation.finding.id, 40)}`,
            ),
          ],
    ],
  );
}

function nothingWrong({ report, violations }: PageModel): string {
  const { pass, fail, warn } = report.summary;
  if (pass + fail + warn === 0) return 'Nothing was judged, so nothing can be said.';
  const noted =
    violations.notes.length > 0 ? ` ${plural(violations.notes.length, 'thing')} noted, without weight.` : '';
  return `No requirement is violated among what was evaluated.${noted}`;
}

/** What is wrong by cause, failures before warnings; each cause once, with the operations that show it. */
export function causesSection(model: PageModel): Element {
  const { causes } = model;
  return h('section', { id: 'causes', ariaLabelledBy: 'causes-title' }, [
    h('h2', { id: 'causes-title' }, 'What is wrong'),
    ...(causes.length === 0
      ? [h('p', nothingWrong(model))]
      : causes.map((cause, index) => causeCard(cause, index, model))),
  ]);
}
