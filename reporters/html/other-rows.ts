import type { Element } from 'hast';
import { h } from 'hastscript';
import { groupBy } from '../../harness/group-by.ts';
import { plain } from '../blocks/block.ts';
import { type OpenCases, type Remedy, reasonOf } from '../model/open-cases.ts';
import { plural } from '../model/wording.ts';
import {
  code,
  codeLines,
  operationName,
  prose,
  rowView,
  sectionView,
  shellLine,
  shown,
  textView,
} from './elements.ts';
import type { PageModel } from './page-model.ts';

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
  const section = model.sections.get('open');
  if (section === undefined) return null;
  const rows = model.open.map((cases) => remedyRow(cases, model));
  return sectionView('open', plain(section.heading), [h('div.rows', rows)]);
}

/** Cases in which the harness itself failed, which say nothing about the target; null without any. */
export function harnessErrorsSection({ sections, errors, anchors }: PageModel): Element | null {
  const section = sections.get('errors');
  if (section === undefined) return null;
  const rows = errors.map((result) => {
    const { operation, check, message } = result;
    return rowView({
      id: anchors.get(result) ?? '',
      sign: 'error',
      operations: [operation],
      headline: [{ foreign: message, most: 200 }],
      facts: [operationName(operation)],
      body: [h('p', code(check, 200)), h('p', prose(message))],
    });
  });
  return sectionView('errors', plain(section.heading), [h('div.rows', rows)]);
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
