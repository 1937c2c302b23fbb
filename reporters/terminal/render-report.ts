import type { Report } from '../../harness/model/report.ts';
import type { ReportDiff } from '../../harness/results/diff/diff-reports.ts';
import {
  type Block,
  type Foreign,
  firstLines,
  plain,
  type Section,
  type SectionName,
  say,
  type Text,
  type VerdictBlock,
} from '../blocks/block.ts';
import { diffSections, diffVerdict } from '../blocks/diff-sections.ts';
import { lineOf } from '../blocks/findings.ts';
import { reportSections } from '../blocks/report-sections.ts';
import { outcomeMarks } from '../model/marks.ts';
import { escapeText, plural } from '../model/wording.ts';
import { type Layout, layoutOf, type TerminalOptions, wrapText } from './layout.ts';
import { operationsTable } from './operations-table.ts';

// Long enough for any line that a person runs.
const longestShellLine = 20_000;
const mostDetails = 10;
const mostReasons = 6;
const labelWidth = 12;
const mostDiffEntries = 12;
const mostDiffDetails = 8;

/** The most important last: there the reader sits. */
const order: ReadonlyArray<{
  readonly name: SectionName;
  readonly most: number;
  /** Whether blank lines part the blocks. */
  readonly spaced?: boolean;
  readonly whenQuiet?: true;
}> = [
  { name: 'operations', most: 1 },
  { name: 'open', most: 8, spaced: true },
  { name: 'notes', most: 5 },
  { name: 'custom', most: 10, whenQuiet: true },
  { name: 'errors', most: 5, whenQuiet: true },
  { name: 'warn', most: 10, spaced: true, whenQuiet: true },
  { name: 'fail', most: 10, spaced: true, whenQuiet: true },
  { name: 'figures', most: 1 },
  { name: 'verdict', most: 1, whenQuiet: true },
  { name: 'gate', most: 10, whenQuiet: true },
];

/** The whole report for a terminal. */
export function renderReport(report: Report, options: TerminalOptions): string {
  const sections = reportSections(report, options);
  const whereToLook = { foreign: options.reportPath ?? 'report.json' };
  const printing = { layout: layoutOf(options), report, options, whereToLook };
  return order
    .filter(({ whenQuiet }) => options.quiet !== true || whenQuiet === true)
    .flatMap((row) => {
      const section = sections.get(row.name);
      return section === undefined ? [] : printSection(section, row, printing);
    })
    .join('\n');
}

interface Printing {
  readonly layout: Layout;
  readonly report: Report;
  readonly options: TerminalOptions;
  /** The file with the details that are not printed. */
  readonly whereToLook: Foreign;
}

function printSection(
  { heading, tone, blocks: all, rest }: Section,
  { name, most, spaced = false }: (typeof order)[number],
  printing: Printing,
): string[] {
  const { layout, options, whereToLook } = printing;
  const blocks =
    options.quiet === true && name === 'custom'
      ? all.filter((block) => block.kind !== 'entry' || block.lead?.tone === 'bad')
      : all;
  if (blocks.length === 0) return [];
  const indent = heading.length > 0 && !spaced ? 2 : 0;
  const printed = blocks.slice(0, most).map((block) => printBlock(block, printing, indent));
  if (blocks.length > most)
    printed.push(layout.wrap([`${rest(all.length - blocks.length + most)}: see `, whereToLook], indent));
  const top = name === 'operations' ? [] : layout.heading(tone, heading);
  const parts = [top, ...printed].filter(({ length }) => length > 0).map((lines) => lines.join('\n'));
  return [`${parts.join(spaced ? '\n\n' : '\n')}\n`];
}

function printBlock(block: Block, printing: Printing, indent: number): string[] {
  const { layout, report, options, whereToLook } = printing;
  const { colours, wrap } = layout;
  // Neither broken nor wrapped, so that it can be copied.
  const command = (line: string | null = null): string[] =>
    line === null ? [] : [`${' '.repeat(indent + 2)}${colours.cyan(escapeText(line, longestShellLine))}`];
  switch (block.kind) {
    case 'operations':
      return operationsTable(report, layout);
    case 'finding': {
      const { sign, tone } = outcomeMarks[block.group.weight];
      return [
        ...wrap([' ', ...block.title], indent, { text: [`${sign} `, ...block.rule], tone }),
        ...block.facts.flatMap((fact) => wrap(lineOf(fact), indent + 2)),
        ...command(block.reproduction),
      ];
    }
    case 'remedy': {
      const { kind, text } = block.open.remedy;
      // Breaks and indentation belong to YAML.
      const lines =
        kind === 'target-file'
          ? text.split('\n').map((line) => `    ${escapeText(line)}`)
          : wrap([{ foreign: text }], 4);
      return [
        ...wrap(block.opening, 2),
        ...lines.map((line) => (kind === 'none' ? line : colours.bold(line))),
        ...wrap(block.names, 4).map(colours.dim),
      ];
    }
    case 'entry': {
      const { lead, title, details } = block;
      const shown = firstLines(details, mostDetails, (more) => [`and ${more} more: see `, whereToLook]);
      return [
        ...wrap(title, indent, lead),
        ...shown.flatMap((detail) => wrap(detail, indent + 2)),
        ...command(block.command),
      ];
    }
    case 'facts':
      return [
        ...block.facts,
        ...(options.reportPath === undefined ? [] : [['report', [{ foreign: options.reportPath }]] as const]),
      ].flatMap(([name, text]) => factLines(name, text, layout));
    case 'verdict':
      return verdictLines(block, layout);
  }
}

function factLines(name: string, text: Text, { colours, width }: Layout): string[] {
  const lead = `  ${name.padEnd(labelWidth)}`;
  const [first = '', ...rest] = wrapText(plain(text, 1_000), width, lead, ' '.repeat(lead.length));
  return [colours.dim(lead) + first.slice(lead.length), ...rest];
}

function verdictLines(block: VerdictBlock, { colours, wrap }: Layout): string[] {
  const { mark, verdict, caveats, target, reasons, hint, commands } = block;
  const hasCaveats = caveats.some((part) => part !== '');
  const lead = { text: [`${mark.sign} ${verdict}${hasCaveats ? ':' : ''}`], tone: mark.tone };
  const told = firstLines(reasons, mostReasons, (more) => [plural(more, 'more reason')]);
  return [
    ...wrap([...(hasCaveats ? [...caveats, '  '] : [' ']), ...target], 0, lead),
    ...[...told, ...(hint === null ? [] : [[hint]])].flatMap((line) => wrap(line, 2)),
    ...commands.map(([does, line]) => colours.dim(`  ${does.padEnd(labelWidth)}${line}`)),
  ];
}

/** The changes between two reports for a terminal, the gravest first and the sum of it last. */
export function renderDiff(diff: ReportDiff, options: TerminalOptions): string {
  const { colours, wrap, heading } = layoutOf(options);
  const { mark, summary, sides } = diffVerdict(diff);
  const lines = sides.flatMap((side) => wrap(side, 0).map(colours.dim));
  for (const section of diffSections(diff)) {
    lines.push('', ...heading(section.tone, section.heading));
    for (const { title, details } of section.blocks.slice(0, mostDiffEntries)) {
      const shown = firstLines(details, mostDiffDetails, (more) => say`and ${more} more`);
      lines.push(...wrap(title, 2), ...shown.flatMap((detail) => wrap(detail, 4).map(colours.dim)));
    }
    if (section.blocks.length > mostDiffEntries)
      lines.push(colours.dim(`  and ${section.rest(mostDiffEntries)}: --format json has all`));
  }
  return `${[...lines, '', ...heading(mark.tone, [`${mark.sign} ${summary}`])].join('\n')}\n`;
}
