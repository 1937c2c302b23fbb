import type { Element } from 'hast';
import { h } from 'hastscript';
import { groupBy } from '../../harness/group-by.ts';
import { placeName, type Requirement } from '../../spec/requirements.ts';
import type { EntryBlock, FactName, FindingBlock } from '../blocks/block.ts';
import { violationFacts } from '../blocks/findings.ts';
import type { Text } from '../blocks/text.ts';
import type { Violation } from '../model/violation.ts';
import { number, plural } from '../model/wording.ts';
import {
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
import { type PageModel, violationsIn } from './page-model.ts';

// One exchange per operation shows a root cause; report.json has the others.
const mostFindings = 30;
// A page with more elements opens slowly.
const mostDetailed = 200;
/** Root causes that have a row. */
export const mostRows = 300;

/** The rule that is violated: a clause of the requirement, or the requirement itself. */
function titleOf({ title, level, clauses }: Requirement, violation: Violation): string {
  const clause = Object.values(clauses).find((one) => one.level === violation.level);
  return level === violation.level || clause === undefined ? title : clause.title;
}

/** The cited places of the contract with what they fix, or the citation alone. */
function contractView(requirement: Requirement | undefined, citation: Text | undefined): Content {
  if (requirement === undefined) return citation === undefined ? 'none' : textView(citation);
  return requirement.contract.map((place) =>
    h('div', [h('b', placeName(place) + (place.says === undefined ? '' : ':')), ` ${place.says ?? ''}`]),
  );
}

/** Expected, got, rule, reason, and whatever else is known of a violation. */
function factsOf(violation: Violation, { report, requirements }: PageModel): Element {
  const requirement = requirements.get(violation.requirement);
  const texts = new Map(violationFacts(violation, report).map(({ name, text }) => [name, text]));
  const told = (name: FactName): Content => {
    const text = texts.get(name);
    return text === undefined ? null : textView(text);
  };
  const allowed = requirement?.allows ?? [];
  const accepted = told('accepted');
  return sheet([
    ...(inlineChange(violation) === null ? fullChange(violation) : []),
    ['Observed', told('detail')],
    [
      'Rule',
      [
        h('b', `${shown(violation.requirement, 60)} ${violation.level}`),
        requirement === undefined ? null : ` ${titleOf(requirement, violation)}`,
      ],
    ],
    ['Contract', contractView(requirement, texts.get('contract'))],
    ['Why it matters', requirement?.rationale ?? null],
    [
      'Still allowed',
      allowed.length === 0
        ? null
        : h(
            'ul',
            allowed.map((one) => h('li', one)),
          ),
    ],
    ['Frequency', told('seen')],
    ['In your logs', told('logged')],
    ['Accepted', accepted === null ? null : h('strong', accepted as Element[])],
    ['Check', code(violation.check, 200)],
  ]);
}

/** A further finding of a root cause, closed. */
function findingView(violation: Violation, example: Violation, isShown: boolean, model: PageModel): Element {
  const { finding, operation, check } = violation;
  const differs = violation.actual !== example.actual || violation.expected !== example.expected;
  const id = model.anchors.get(violation) ?? null;
  return h(
    'li',
    h('details.finding', { id, dataOperations: operation }, [
      h('summary', [
        operationName(operation),
        differs ? inlineChange(violation) : null,
        h('span.quiet', [code(check, 120), ' · ', shown(finding?.id ?? '', 40)]),
      ]),
      differs ? sheet(fullChange(violation)) : null,
      ...(finding === null
        ? []
        : isShown
          ? evidenceView(finding, model.report)
          : [...reproductionView(finding, model.report), h('p.quiet', 'report.json has the exchange.')]),
    ]),
  );
}

/** One finding of each operation, then the others. */
function spread(violations: readonly Violation[]): readonly Violation[] {
  const queues = [...groupBy(violations, ({ operation }) => operation).values()];
  const deepest = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: deepest }, (_, depth) => queues.flatMap((queue) => queue[depth] ?? [])).flat();
}

function causeRow(block: FindingBlock, index: number, model: PageModel): Element {
  const { group, weight } = block;
  const { members, operations, named } = group;
  const [example] = members;
  const fix = named?.fix ?? model.requirements.get(example.requirement)?.fix ?? null;
  const [only = ''] = operations;
  const where = operations.length === 1 ? operationName(only) : plural(operations.length, 'operation');
  return rowView({
    id: model.anchors.get(block) ?? '',
    sign: weight,
    operations,
    headline: [{ foreign: group.headline }],
    advice: fix === null ? null : shown(fix, 300),
    facts: [
      inlineChange(example),
      where,
      members.length > 1 ? plural(members.length, 'finding') : null,
      h('span.tag', shown(example.requirement, 60)),
    ],
    body: index < mostDetailed ? causeBody(block, fix, model) : briefBody(example, model),
  });
}

function causeBody({ group }: FindingBlock, fix: string | null, model: PageModel): (Element | null)[] {
  const { members, operations, named } = group;
  const [example, ...others] = members;
  const { finding } = example;
  const { answeredBy, exclude = null, accept = null } = named ?? {};
  return [
    fix === null ? null : h('p.fix', [h('b', 'How to fix. '), prose(fix)]),
    answeredBy === undefined
      ? null
      : h('p', [h('b', `Who answered: ${shown(answeredBy.name, 80)}. `), prose(answeredBy.why)]),
    operations.length === 1 ? null : chips(operations.map((one) => h('li', operationName(one)))),
    factsOf(example, model),
    h('div.example', { id: model.anchors.get(example) ?? null, tabIndex: -1 }, [
      h('h4', finding === null ? 'Evidence' : `Reproduce finding ${shown(finding.id, 40)}`),
      ...(finding === null ? [h('p', 'The case has no evidence.')] : evidenceView(finding, model.report)),
    ]),
    others.length === 0
      ? null
      : h('div', [
          h(
            'h4',
            `${number(others.length)} more ${others.length === 1 ? 'finding' : 'findings'} of this root cause`,
          ),
          h(
            'ul.findings',
            spread(others).map((one, at) => findingView(one, example, at < mostFindings, model)),
          ),
        ]),
    exclude === null && accept === null
      ? null
      : h('details.accept', [
          h('summary', 'Accept it instead'),
          ...(exclude === null
            ? []
            : [h('p', 'Exclude it in the target file:'), codeLines(exclude, 'lines for the target file')]),
          ...(accept === null
            ? []
            : [h('p', 'Accept it in the baseline:'), codeLines(accept, 'entries for the baseline')]),
        ]),
  ];
}

/** What a row beyond those in full detail holds. */
function briefBody(example: Violation, { anchors, report }: PageModel): Element[] {
  return [
    h('div.example', { id: anchors.get(example) ?? null, tabIndex: -1 }, [
      ...(example.finding === null ? [] : reproductionView(example.finding, report)),
      h('p.quiet', 'report.json has the exchanges of this root cause.'),
    ]),
  ];
}

function noteRow(block: EntryBlock, model: PageModel): Element[] {
  const violations = violationsIn(block);
  const [first] = violations;
  if (first === undefined) return [];
  const operations = new Set(violations.map(({ operation }) => operation));
  const places = violations.map((one, at) =>
    // The row has the id of the first.
    h('li', { id: at === 0 ? null : (model.anchors.get(one) ?? null) }, operationName(one.operation)),
  );
  return [
    rowView({
      id: model.anchors.get(first) ?? '',
      sign: 'note',
      operations: [...operations],
      headline: [{ foreign: first.headline }],
      facts: [plural(operations.size, 'operation'), h('span.tag', shown(first.requirement, 60))],
      body: [factsOf(first, model), chips(places)],
    }),
  ];
}

/** The root causes as rows that open: failures, then warnings; notes stand apart. */
export function rootCausesSection(model: PageModel): Element {
  const { findings, notes, report } = model;
  const { pass, fail, warn } = report.summary;
  const nothing = pass + fail + warn === 0 ? 'No case was tested.' : 'No tested case violates a requirement.';
  const rows = findings.slice(0, mostRows).map((block, index) => causeRow(block, index, model));
  const more = findings.length - mostRows;
  const noted = notes.flatMap(violationsIn).length;
  return sectionView('causes', 'Root causes', [
    rows.length === 0 ? h('p', nothing) : h('div.rows', rows),
    more > 0 ? h('p', `${plural(more, 'more root cause')}: see report.json.`) : null,
    noted === 0
      ? null
      : h('details.notes', [
          h('summary', `${plural(noted, 'note')} of level info, not counted`),
          ...notes.flatMap((note) => noteRow(note, model)),
        ]),
  ]);
}
