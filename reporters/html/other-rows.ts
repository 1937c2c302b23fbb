import type { Element } from 'hast';
import { h } from 'hastscript';
import { groupBy } from '../../harness/group-by.ts';
import type { CaseResult } from '../../harness/model/report.ts';
import type { RemedyBlock } from '../blocks/block.ts';
import { plain } from '../blocks/text.ts';
import type { Remedy } from '../model/open-cases.ts';
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
      return [h('p.quiet', 'No line of the target file and no flag is known to help.')];
  }
}

function remedyRow(block: RemedyBlock, { anchors }: PageModel): Element {
  const { remedy, cases } = block.open;
  const must = cases.filter(({ level }) => level === 'must').length;
  const checks = [...groupBy(cases, ({ check }) => check)].map(([check, same]) =>
    h('li', [
      code(check, 200),
      h(
        'ul.chips',
        same.map(({ operation }) => h('li', operationName(operation))),
      ),
    ]),
  );
  return rowView({
    id: anchors.get(block) ?? '',
    sign: 'inconclusive',
    operations: cases.map(({ operation }) => operation),
    headline: block.reason,
    advice: remedy.kind === 'none' ? null : shown(remedy.text.replaceAll(/\s+/g, ' '), 300),
    facts: [plural(cases.length, 'case'), must === cases.length ? null : `${must} of level must`],
    body: [...remedyView(remedy), h('ul.findings', checks)],
  });
}

/** Cases that were not tested by reason, each with the line to add; null where everything was tested. */
export function notTestedSection(model: PageModel): Element | null {
  const section = model.sections.get('open');
  if (section === undefined) return null;
  return sectionView('open', plain(section.heading), [
    h(
      'div.rows',
      model.open.map((block) => remedyRow(block, model)),
    ),
  ]);
}

/** Cases in which the harness itself failed, which say nothing about the target; null without any. */
export function harnessErrorsSection({ sections, errors, anchors }: PageModel): Element | null {
  const section = sections.get('errors');
  if (section === undefined) return null;
  const rows = errors.map((block) => {
    const { operation, check, message } = block.about as CaseResult;
    return rowView({
      id: anchors.get(block) ?? '',
      sign: 'error',
      operations: [operation],
      headline: [{ foreign: message, most: 200 }],
      facts: [operationName(operation)],
      body: [h('p', code(check, 200)), h('p', prose(message))],
    });
  });
  return sectionView('errors', plain(section.heading), [h('div.rows', rows)]);
}

/** Results of custom checks, and what a baseline makes of the run: both are no part of the verdict. */
export function entriesSection(
  name: 'custom' | 'gate',
  title: string | null,
  { sections }: PageModel,
): Element | null {
  const section = sections.get(name);
  if (section === undefined) return null;
  return sectionView(
    name,
    title ?? plain(section.heading),
    section.blocks.map((block) => {
      if (block.kind !== 'entry') return null;
      const { lead, title: headline, details, command } = block;
      return h('div.custom', [
        h('h3', [...(lead === null ? [] : [...textView(lead.text), ' ']), ...textView(headline)]),
        ...details.map((detail) => h('p', textView(detail))),
        command === null ? null : shellLine(command, 'command that reproduces it'),
      ]);
    }),
  );
}
