import type { Element } from 'hast';
import { h } from 'hastscript';
import { groupBy } from '../../harness/group-by.ts';
import { firstLine } from '../../harness/visible-text.ts';
import { plain } from '../blocks/block.ts';
import { type OpenCases, type Remedy, reasonOf } from '../model/open-cases.ts';
import type { RootCauseGroup, Violation } from '../model/root-causes.ts';
import { plural } from '../model/wording.ts';
import {
  type Child,
  chips,
  code,
  codeLines,
  operationName,
  operationsView,
  prose,
  rowView,
  sectionView,
  sheet,
  shellLine,
  shown,
  textView,
} from './elements.ts';
import { evidenceView, reproductionView } from './evidence.ts';
import type { PageModel } from './page-model.ts';
import { factsOf, fullChange, inlineChange } from './violation-facts.ts';

// One exchange per operation shows a root cause; report.json has the others.
const mostFindings = 30;
/** Root causes that have a row: a page with more elements opens slowly. */
export const mostRows = 300;

/** A further finding of a root cause, closed. */
function findingView(violation: Violation, example: Violation, isShown: boolean, model: PageModel): Element {
  const { finding, operation, check } = violation;
  const differs = violation.actual !== example.actual || violation.expected !== example.expected;
  const evidence = (): Element[] => {
    if (finding === null) return [];
    if (isShown) return evidenceView(finding, model.report);
    return [...reproductionView(finding, model.report), h('p.quiet', 'report.json has the exchange.')];
  };
  const summary = h('summary', [
    operationName(operation),
    differs ? inlineChange(violation) : null,
    h('span.quiet', [code(check, 120), ' · ', shown(finding?.id ?? '', 40)]),
  ]);
  const place = { id: model.anchors.get(violation) ?? null, dataOperations: operation };
  const change = differs ? sheet(fullChange(violation)) : null;
  return h('li', h('details.finding', place, [summary, change, ...evidence()]));
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
  return rowView({
    id: model.anchors.get(cause) ?? '',
    sign: weight,
    operations,
    headline: [{ foreign: headline }],
    advice: fix === undefined ? undefined : shown(fix, 300),
    facts: [
      inlineChange(example),
      operationsView(operations),
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
  const ways = [
    ...wayToAccept('Exclude it in the target file:', exclude, 'lines for the target file'),
    ...wayToAccept('Accept it in the baseline:', accept, 'entries for the baseline'),
  ];
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
    ways.length === 0 ? null : h('details.accept', [h('summary', 'Accept it instead'), ...ways]),
  ];
}

function othersView(others: readonly Violation[], example: Violation, model: PageModel): Element {
  const title = `${plural(others.length, 'more finding')} of this root cause`;
  const views = spread(others).map((one, at) => findingView(one, example, at < mostFindings, model));
  return h('div', [h('h4', title), h('ul.findings', views)]);
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

function remedyView({ kind, text }: Remedy): Element[] {
  switch (kind) {
    case 'target-file':
      return [h('p', 'Add to the target file:'), codeLines(text, 'lines for the target file')];
    case 'flag':
      return [h('p', 'Run again with:'), shellLine(text, 'flag')];
    case 'advice':
      return [h('p.fix', prose(text))];
    case 'none':
      return [h('p.quiet', 'No setting of the target file and no flag is known to help.')];
  }
}

function remedyRow(open: OpenCases, { anchors }: PageModel): Element {
  const { remedy, cases } = open;
  const must = cases.filter(({ level }) => level === 'must').length;
  const checks = [...groupBy(cases, ({ check }) => check)].map(([check, same]) => {
    const operations = same.map(({ operation }) => h('li', operationName(operation)));
    return h('li', [code(check, 200), h('ul.chips', operations)]);
  });
  return rowView({
    id: anchors.get(open) ?? '',
    sign: 'inconclusive',
    operations: cases.map(({ operation }) => operation),
    headline: [{ foreign: reasonOf(cases) }],
    advice: remedy.kind === 'none' ? undefined : shown(remedy.text.replaceAll(/\s+/g, ' '), 300),
    facts: [plural(cases.length, 'case'), must === cases.length ? null : `${must || 'none'} of level must`],
    body: [...remedyView(remedy), h('ul.findings', checks)],
  });
}

/** Cases that were not tested by reason, each with the line to add; null where everything was tested. */
export function notTestedSection(model: PageModel): Element | null {
  const rows = model.open.map((cases) => remedyRow(cases, model));
  return rowsSection('open', rows, model);
}

function rowsSection(name: 'open' | 'errors', rows: Element[], { sections }: PageModel): Element | null {
  const section = sections.get(name);
  return section === undefined ? null : sectionView(name, plain(section.heading), [h('div.rows', rows)]);
}

/** Cases in which the harness itself failed, which say nothing about the target; null without any. */
export function harnessErrorsSection(model: PageModel): Element | null {
  const rows = model.errors.map((result) =>
    rowView({
      id: model.anchors.get(result) ?? '',
      sign: 'error',
      operations: [result.operation],
      headline: [{ foreign: firstLine(result.message), most: 200 }],
      facts: [operationName(result.operation)],
      body: [h('p', code(result.check, 200)), codeLines(result.message, 'error for a bug report')],
    }),
  );
  return rowsSection('errors', rows, model);
}

/** Results of custom checks and of a baseline, neither of which is part of the verdict. */
export function entriesSection(name: 'custom' | 'gate', { sections }: PageModel): Element | null {
  const section = sections.get(name);
  if (section === undefined) return null;
  const entries = section.blocks.filter((block) => block.kind === 'entry');
  return sectionView(
    name,
    name === 'gate' ? 'Baseline' : plain(section.heading),
    entries.map(({ lead, title: headline, details, command }) =>
      h('div.custom', [
        h('h3', [...(lead === undefined ? [] : [...textView(lead.text), ' ']), ...textView(headline)]),
        ...details.map((detail) => h('p', textView(detail))),
        command && shellLine(command, 'command that reproduces it'),
      ]),
    ),
  );
}
