import type { Element } from 'hast';
import { h } from 'hastscript';
import { groupBy } from '../../harness/group-by.ts';
import { placeName, type Requirement } from '../../spec/requirements.ts';
import type { FactName, Text } from '../blocks/block.ts';
import { violationFacts } from '../blocks/findings.ts';
import type { RootCauseGroup, Violation } from '../model/root-causes.ts';
import { number, plural } from '../model/wording.ts';
import {
  type Child,
  type Content,
  chips,
  code,
  codeLines,
  operationName,
  prose,
  rowView,
  sectionView,
  sheet,
  shown,
  textView,
} from './elements.ts';
import { evidenceView, reproductionView } from './evidence.ts';
import { fullChange, inlineChange } from './expected-got.ts';
import type { PageModel } from './page-model.ts';

// One exchange per operation shows a root cause; report.json has the others.
const mostFindings = 30;
/** Root causes that have a row: a page with more elements opens slowly. */
export const mostRows = 300;

/** The rule that is violated: a clause of the requirement, or the requirement itself. */
function titleOf({ title, level, clauses }: Requirement, violation: Violation): string {
  const clause = Object.values(clauses).find((one) => one.level === violation.level);
  return level === violation.level || clause === undefined ? title : clause.title;
}

/** The cited places of the contract with their content, or the citation alone. */
function contractView(requirement: Requirement | undefined, citation: Text | undefined): Content {
  if (requirement === undefined) return citation === undefined ? 'none' : textView(citation);
  return requirement.contract.map((place) =>
    h('div', [h('b', placeName(place) + (place.says === undefined ? '' : ':')), ` ${place.says ?? ''}`]),
  );
}

/** Expected, got, rule, reason, and all other facts about a violation. */
function factsOf(violation: Violation, { report, requirements }: PageModel): Element {
  const requirement = requirements.get(violation.requirement);
  const texts = new Map(violationFacts(violation, report).map(({ name, text }) => [name, text]));
  const told = (name: FactName): (Element | string)[] | undefined => {
    const text = texts.get(name);
    return text && textView(text);
  };
  const allowed = (requirement?.allows ?? []).map((one) => h('li', one));
  const accepted = told('accepted');
  return sheet([
    ...(inlineChange(violation) === null ? fullChange(violation) : []),
    ['Observed', told('detail')],
    [
      'Rule',
      [
        h('b', `${shown(violation.requirement, 60)} ${violation.level}`),
        requirement && ` ${titleOf(requirement, violation)}`,
      ],
    ],
    ['Contract', contractView(requirement, texts.get('contract'))],
    ['Why it matters', requirement?.rationale],
    ['Still allowed', allowed.length === 0 ? null : h('ul', allowed)],
    ['Frequency', told('seen')],
    ['In your logs', told('logged')],
    ['Accepted', accepted && h('strong', accepted)],
    ['Check', code(violation.check, 200)],
  ]);
}

/** A further finding of a root cause, closed. */
function findingView(violation: Violation, example: Violation, isShown: boolean, model: PageModel): Element {
  const { finding, operation, check } = violation;
  const differs = violation.actual !== example.actual || violation.expected !== example.expected;
  const evidence = (): Element[] => {
    if (finding === null) return [];
    if (isShown) return evidenceView(finding, model.report);
    return [...reproductionView(finding, model.report), h('p.quiet', 'report.json has the exchange.')];
  };
  return h(
    'li',
    h('details.finding', { id: model.anchors.get(violation) ?? null, dataOperations: operation }, [
      h('summary', [
        operationName(operation),
        differs ? inlineChange(violation) : null,
        h('span.quiet', [code(check, 120), ' · ', shown(finding?.id ?? '', 40)]),
      ]),
      differs ? sheet(fullChange(violation)) : null,
      ...evidence(),
    ]),
  );
}

/** One finding of each operation, then the others. */
function spread(violations: readonly Violation[]): readonly Violation[] {
  const queues = [...groupBy(violations, ({ operation }) => operation).values()];
  const deepest = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: deepest }, (_, depth) => queues.flatMap((queue) => queue[depth] ?? [])).flat();
}

function causeRow(cause: RootCauseGroup, model: PageModel): Element {
  const { members, operations, named, weight, headline } = cause;
  const [example] = members;
  const fix = named?.fix ?? model.requirements.get(example.requirement)?.fix;
  const [only = ''] = operations;
  return rowView({
    id: model.anchors.get(cause) ?? '',
    sign: weight,
    operations,
    headline: [{ foreign: headline }],
    advice: fix === undefined ? undefined : shown(fix, 300),
    facts: [
      inlineChange(example),
      operations.length === 1 ? operationName(only) : plural(operations.length, 'operation'),
      members.length > 1 ? plural(members.length, 'finding') : null,
      h('span.tag', shown(example.requirement, 60)),
    ],
    body: causeBody(cause, fix, model),
  });
}

function causeBody(cause: RootCauseGroup, fix: string | undefined, model: PageModel): Child[] {
  const { members, operations, named } = cause;
  const [example, ...others] = members;
  const { finding } = example;
  const { answeredBy, exclude, accept } = named ?? {};
  return [
    fix === undefined ? null : h('p.fix', [h('b', 'How to fix. '), prose(fix)]),
    answeredBy && h('p', [h('b', `Who answered: ${shown(answeredBy.name, 80)}. `), prose(answeredBy.why)]),
    operations.length === 1 ? null : chips(operations.map((one) => h('li', operationName(one)))),
    factsOf(example, model),
    h('div.example', { id: model.anchors.get(example) ?? null, tabIndex: -1 }, [
      h('h4', finding === null ? 'Evidence' : `Reproduce finding ${shown(finding.id, 40)}`),
      ...(finding === null ? [h('p', 'The case has no evidence.')] : evidenceView(finding, model.report)),
    ]),
    others.length === 0 ? null : othersView(others, example, model),
    exclude === undefined && accept === undefined
      ? null
      : h('details.accept', [
          h('summary', 'Accept it instead'),
          ...wayToAccept('Exclude it in the target file:', exclude, 'lines for the target file'),
          ...wayToAccept('Accept it in the baseline:', accept, 'entries for the baseline'),
        ]),
  ];
}

function othersView(others: readonly Violation[], example: Violation, model: PageModel): Element {
  const noun = others.length === 1 ? 'finding' : 'findings';
  return h('div', [
    h('h4', `${number(others.length)} more ${noun} of this root cause`),
    h(
      'ul.findings',
      spread(others).map((one, at) => findingView(one, example, at < mostFindings, model)),
    ),
  ]);
}

function wayToAccept(does: string, lines: string | undefined, name: string): Element[] {
  return lines === undefined ? [] : [h('p', does), codeLines(lines, name)];
}

function noteRow(violations: readonly [Violation, ...Violation[]], model: PageModel): Element {
  const [first] = violations;
  const operations = [...new Set(violations.map(({ operation }) => operation))];
  const places = violations.map((one, at) =>
    // The row has the id of the first.
    h('li', { id: at === 0 ? null : (model.anchors.get(one) ?? null) }, operationName(one.operation)),
  );
  return rowView({
    id: model.anchors.get(first) ?? '',
    sign: 'note',
    operations,
    headline: [{ foreign: first.headline }],
    facts: [plural(operations.length, 'operation'), h('span.tag', shown(first.requirement, 60))],
    body: [factsOf(first, model), chips(places)],
  });
}

/** The root causes as rows that open: failures, then warnings; notes are separate. */
export function rootCausesSection(model: PageModel): Element {
  const { causes, notes, report } = model;
  const { pass, fail, warn } = report.summary;
  const nothing = pass + fail + warn === 0 ? 'No case was tested.' : 'No tested case violates a requirement.';
  const rows = causes.slice(0, mostRows).map((cause) => causeRow(cause, model));
  const more = causes.length - mostRows;
  return sectionView('causes', 'Root causes', [
    rows.length === 0 ? h('p', nothing) : h('div.rows', rows),
    more > 0 ? h('p', `${plural(more, 'more root cause')}: see report.json.`) : null,
    notes.length === 0
      ? null
      : h('details.notes', [
          h('summary', `${plural(notes.flat().length, 'note')} of level info, not counted`),
          ...notes.map((note) => noteRow(note, model)),
        ]),
  ]);
}
