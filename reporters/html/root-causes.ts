import type { Element } from 'hast';
import { h } from 'hastscript';
import type { Report } from '../../harness/model/report.ts';
import { placeName, type Requirement } from '../../spec/requirements.ts';
import { findingText } from '../model/finding-text.ts';
import { groupBy } from '../model/group-by.ts';
import { operationsOf } from '../model/root-causes.ts';
import type { Violation } from '../model/violation.ts';
import { number, plural } from '../model/wording.ts';
import { evidenceView, reproductionView } from './evidence.ts';
import { fullChange, inlineChange } from './expected-got.ts';
import type { Entry, PageModel, RootCauseEntries } from './page-model.ts';
import { rowView, sectionView } from './row.ts';
import { codeLines } from './shell-line.ts';
import { code, operationName, prose, shown } from './shown-text.ts';

// One exchange per operation shows a root cause; report.json has the others.
const mostFindings = 30;
// A page with more elements opens slowly.
const mostDetailed = 200;
const mostRows = 300;

function fact(name: string, value: Parameters<typeof h>[2]): Element[] {
  return [h('dt', name), h('dd', value)];
}

/** The rule that is violated: a clause of the requirement, or the requirement itself. */
function titleOf({ title, level, clauses }: Requirement, violation: Violation): string {
  const clause = Object.values(clauses).find((one) => one.level === violation.level);
  return level === violation.level || clause === undefined ? title : clause.title;
}

/** The cited places of the contract with what they fix, or the citation alone. */
function contractView(
  requirement: Requirement | undefined,
  citation: string | null,
): Parameters<typeof h>[2] {
  if (requirement === undefined)
    return citation === null ? 'none' : prose(citation.replace('contract: ', ''));
  return requirement.contract.map((place) =>
    h('div', [h('b', placeName(place) + (place.says === undefined ? '' : ':')), ` ${place.says ?? ''}`]),
  );
}

/** Expected, got, rule, reason, and whatever else is known of a violation. */
function factsOf(violation: Violation, { report, requirements }: PageModel): Element {
  const requirement = requirements.get(violation.requirement);
  const text = findingText(violation, report, (part) => shown(part));
  return h('dl', { className: ['sheet'] }, [
    ...(inlineChange(violation) === null ? fullChange(violation) : []),
    ...(violation.message === violation.headline ? [] : fact('Observed', prose(violation.message))),
    ...fact('Rule', [
      h('b', `${shown(violation.requirement, 60)} ${violation.level}`),
      requirement === undefined ? '' : ` ${titleOf(requirement, violation)}`,
    ]),
    ...fact('Contract', contractView(requirement, text.contract)),
    ...(requirement === undefined ? [] : fact('Why it matters', requirement.rationale)),
    ...(requirement === undefined || requirement.allows.length === 0
      ? []
      : fact(
          'Still allowed',
          h(
            'ul',
            requirement.allows.map((one) => h('li', one)),
          ),
        )),
    ...(text.seen === null ? [] : fact('Frequency', prose(text.seen))),
    ...(text.logged === null ? [] : fact('In your logs', prose(text.logged.replace('in your logs: ', '')))),
    ...(text.accepted === null ? [] : fact('Accepted', h('strong', prose(text.accepted)))),
    ...fact('Check', code(violation.check, 200)),
  ]);
}

/** A further finding of a root cause, closed. */
function findingView(
  { violation, anchor }: Entry,
  example: Violation,
  { report, isShown }: { readonly report: Report; readonly isShown: boolean },
): Element {
  const { finding, operation } = violation;
  const differs = violation.actual !== example.actual || violation.expected !== example.expected;
  return h('li', [
    h('details', { id: anchor, className: ['finding'], dataOperations: operation }, [
      h('summary', [
        operationName(operation),
        differs ? inlineChange(violation) : null,
        h('span', { className: ['quiet'] }, [
          code(violation.check, 120),
          ' · ',
          shown(finding?.id ?? '', 40),
        ]),
      ]),
      differs ? h('dl', { className: ['sheet'] }, fullChange(violation)) : null,
      ...(finding === null
        ? []
        : isShown
          ? evidenceView(finding, report)
          : [
              ...reproductionView(finding, report),
              h('p', { className: ['quiet'] }, 'report.json has the exchange.'),
            ]),
    ]),
  ]);
}

/** One finding of each operation, then the others. */
function spread(entries: readonly Entry[]): readonly Entry[] {
  const queues = [...groupBy(entries, ({ violation }) => violation.operation).values()];
  const deepest = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: deepest }, (_, depth) => queues.flatMap((queue) => queue[depth] ?? [])).flat();
}

function causeRow({ group, entries, anchor }: RootCauseEntries, index: number, model: PageModel): Element {
  const [first, ...others] = entries;
  const { example, weight, answeredBy } = group;
  const fix = group.fix ?? model.requirements.get(example.requirement)?.fix ?? null;
  const operations = operationsOf(group);
  const where =
    operations.length === 1 ? operationName(operations[0] ?? '') : plural(operations.length, 'operation');
  return rowView({
    id: anchor,
    sign: weight,
    operations,
    headline: [prose(group.headline)],
    advice: fix === null ? null : shown(fix, 300),
    facts: [
      inlineChange(example),
      where,
      entries.length > 1 ? plural(entries.length, 'finding') : null,
      h('span', { className: ['tag'] }, shown(example.requirement, 60)),
    ],
    body:
      index >= mostDetailed
        ? brief(first, model.report)
        : [
            fix === null ? null : h('p', { className: ['fix'] }, [h('b', 'How to fix. '), prose(fix)]),
            answeredBy === null
              ? null
              : h('p', [h('b', `Who answered: ${shown(answeredBy.name, 80)}. `), prose(answeredBy.why)]),
            operations.length === 1
              ? null
              : h(
                  'ul',
                  { className: ['chips'], ariaLabel: 'Operations' },
                  operations.map((operation) => h('li', operationName(operation))),
                ),
            factsOf(example, model),
            h('div', { id: first.anchor, className: ['example'], tabIndex: -1 }, [
              h(
                'h4',
                example.finding === null ? 'Evidence' : `Reproduce finding ${shown(example.finding.id, 40)}`,
              ),
              ...(example.finding === null
                ? [h('p', 'The case has no evidence.')]
                : evidenceView(example.finding, model.report)),
            ]),
            others.length === 0
              ? null
              : h('div', [
                  h(
                    'h4',
                    `${number(others.length)} more ${others.length === 1 ? 'finding' : 'findings'} of this root cause`,
                  ),
                  h(
                    'ul',
                    { className: ['findings'] },
                    spread(others).map((entry, at) =>
                      findingView(entry, example, { report: model.report, isShown: at < mostFindings }),
                    ),
                  ),
                ]),
            acceptance(group),
          ],
  });
}

/** A row beyond those in full detail. */
function brief({ violation: { finding }, anchor }: Entry, report: Report): Element[] {
  return [
    h('div', { id: anchor, className: ['example'], tabIndex: -1 }, [
      ...(finding === null ? [] : reproductionView(finding, report)),
      h('p', { className: ['quiet'] }, 'report.json has the exchanges of this root cause.'),
    ]),
  ];
}

function acceptance({ exclude, accept }: RootCauseEntries['group']): Element | null {
  if (exclude === null && accept === null) return null;
  return h('details', { className: ['accept'] }, [
    h('summary', 'Accept it instead'),
    exclude === null
      ? null
      : [h('p', 'Exclude it in the target file:'), codeLines(exclude, 'lines for the target file')],
    accept === null
      ? null
      : [h('p', 'Or accept it in the baseline:'), codeLines(accept, 'entries for the baseline')],
  ]);
}

function notesView(model: PageModel): Element | null {
  const { notes } = model;
  if (notes.length === 0) return null;
  const groups = groupBy(notes, ({ violation }) =>
    JSON.stringify([violation.requirement, violation.headline]),
  );
  return h('details', { className: ['notes'] }, [
    h('summary', `${plural(notes.length, 'note')} of level info, not counted`),
    ...[...groups.values()].flatMap((same) => {
      const [first] = same;
      if (first === undefined) return [];
      return rowView({
        id: first.anchor,
        sign: 'note',
        operations: same.map(({ violation }) => violation.operation),
        headline: [prose(first.violation.headline)],
        facts: [
          plural(new Set(same.map(({ violation }) => violation.operation)).size, 'operation'),
          h('span', { className: ['tag'] }, shown(first.violation.requirement, 60)),
        ],
        body: [
          factsOf(first.violation, model),
          h(
            'ul',
            { className: ['chips'], ariaLabel: 'Operations' },
            same.map(({ violation, anchor }, at) =>
              h('li', at === 0 ? {} : { id: anchor }, operationName(violation.operation)),
            ),
          ),
        ],
      });
    }),
  ]);
}

function nothingWrong({ report }: PageModel): string {
  const { pass, fail, warn } = report.summary;
  return pass + fail + warn === 0 ? 'No case was tested.' : 'No tested case violates a requirement.';
}

/** The root causes as rows that open: failures, then warnings; notes stand apart. */
export function rootCausesSection(model: PageModel): Element {
  const { rootCauses } = model;
  return sectionView('causes', 'Root causes', [
    rootCauses.length === 0
      ? h('p', nothingWrong(model))
      : h(
          'div',
          { className: ['rows'] },
          rootCauses.slice(0, mostRows).map((entries, index) => causeRow(entries, index, model)),
        ),
    rootCauses.length > mostRows
      ? h('p', `${plural(rootCauses.length - mostRows, 'more root cause')}: see report.json.`)
      : null,
    notesView(model),
  ]);
}
