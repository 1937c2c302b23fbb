import type { Element } from 'hast';
import { h } from 'hastscript';
import { findingText } from '../model/finding-text.ts';
import { difference } from './difference.ts';
import { exchangeView } from './exchange-view.ts';
import { explanation } from './explanation.ts';
import { weightMark } from './mark.ts';
import type { Entry, PageModel } from './page-model.ts';
import { shellLine } from './shell-line.ts';
import { code, operationName, prose, shown } from './shown-text.ts';

function facts(entry: Entry, seed: number): Element {
  const { violation, anchor } = entry;
  const text = findingText(violation, seed, shown);
  return h('p', { className: ['facts'] }, [
    text.contract === null ? null : [h('bdi', { dir: 'ltr' }, text.contract), ' · '],
    text.seen === null ? null : [h('bdi', { dir: 'ltr' }, text.seen), ' · '],
    text.accepted === null ? null : [h('strong', [h('bdi', { dir: 'ltr' }, text.accepted)]), ' · '],
    'check ',
    code(violation.check, 200),
    ' · ',
    h('a', { href: `#${anchor}` }, 'link to this'),
  ]);
}

/** One finding with its evidence; closed by the script where there are many, open without it. */
function findingCard(entry: Entry, { report, requirements }: PageModel): Element {
  const { violation, weight, anchor } = entry;
  const { finding, expected, actual } = violation;
  const requirement = requirements.get(violation.requirement);
  return h(
    'details',
    {
      id: anchor,
      className: ['card', `is-${weight}`],
      open: true,
      dataEntry: '',
      dataOutcome: weight,
      dataOperations: violation.operation,
    },
    [
      h('summary', [
        weightMark(weight),
        h('h3', [
          h('span', { className: ['tag'] }, `${shown(violation.requirement, 60)} ${violation.level}`),
          ' ',
          operationName(violation.operation),
          ': ',
          prose(violation.message),
        ]),
      ]),
      difference(expected, actual),
      facts(entry, report.run.seed),
      finding === null
        ? null
        : shellLine(finding.reproduction, `shell line of finding ${shown(finding.id, 40)}`),
      finding === null ? null : exchangeView(finding.exchange, finding.expected, finding.actual),
      requirement === undefined ? null : explanation(requirement, violation.level),
    ],
  );
}

/** All findings, the gravest first. */
export function findingsSection(model: PageModel): Element | null {
  const { entries } = model;
  if (entries.length === 0) return null;
  return h('section', { id: 'findings', ariaLabelledBy: 'findings-title' }, [
    h('div', { className: ['title-line'] }, [
      h('h2', { id: 'findings-title' }, 'Findings'),
      h('button', { type: 'button', hidden: true, dataUnfold: '' }, 'Open all'),
    ]),
    ...entries.map((entry) => findingCard(entry, model)),
  ]);
}
