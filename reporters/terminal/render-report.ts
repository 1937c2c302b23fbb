import type { Report } from '../../harness/model/report.ts';
import type { Block, Section, SectionName, VerdictBlock } from '../blocks/block.ts';
import { lineOf } from '../blocks/findings.ts';
import { reportSections } from '../blocks/report-sections.ts';
import { plain, type Text } from '../blocks/text.ts';
import { escapeText } from '../model/escape.ts';
import { outcomeMarks } from '../model/marks.ts';
import { plural } from '../model/wording.ts';
import { wrapText } from './columns.ts';
import { type Layout, layoutOf, type TerminalOptions } from './layout.ts';
import { operationsTable } from './operations-table.ts';

// Long enough for any line that a person runs.
const longestShellLine = 20_000;
const mostDetails = 10;
const mostReasons = 6;
const labelWidth = 12;

/** The most important last: there the reader sits. */
const order: ReadonlyArray<{
  readonly name: SectionName;
  readonly most: number;
  /** Whether blank lines part the blocks. */
  readonly spaced?: true;
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
  const layout = layoutOf(options);
  const sections = reportSections(report, options);
  const printed = order.flatMap(({ name, most, spaced, whenQuiet }) => {
    const section = sections.get(name);
    if (section === undefined || (options.quiet === true && whenQuiet !== true)) return [];
    const isCause = name === 'fail' || name === 'warn';
    return printSection(section, {
      layout,
      report,
      options,
      most: isCause ? Math.max(1, options.maxFindings ?? most) : most,
      spaced: spaced === true,
    });
  });
  return printed.join('\n');
}

interface Printing {
  readonly layout: Layout;
  readonly report: Report;
  readonly options: TerminalOptions;
  /** Blocks that are printed. */
  readonly most: number;
  readonly spaced: boolean;
}

function printSection(section: Section, printing: Printing): string[] {
  const { layout, options, most, spaced } = printing;
  const { heading, tone } = section;
  const blocks =
    options.quiet === true && section.name === 'custom'
      ? section.blocks.filter((block) => block.kind !== 'entry' || block.lead?.tone === 'bad')
      : section.blocks;
  if (blocks.length === 0) return [];
  const isIndented = heading.length > 0 && !spaced;
  const printed = blocks.slice(0, most).map((block) => printBlock(block, printing, isIndented ? 2 : 0));
  const rest = blocks.slice(most);
  const more =
    rest.length === 0
      ? []
      : [layout.wrap([`${section.rest(rest)}: see `, { foreign: whereToLook(options) }], isIndented ? 2 : 0)];
  const parts = [...printed, ...more].map((lines) => lines.join('\n'));
  const head = section.blocks.some(({ kind }) => kind === 'operations') ? [] : layout.heading(tone, heading);
  const top = head.length === 0 ? [] : [head.join('\n')];
  return [`${[...top, ...parts].join(spaced ? '\n\n' : '\n')}\n`];
}

/** Where a reader finds what is not printed. */
function whereToLook({ reportPath }: TerminalOptions): string {
  return reportPath ?? 'report.json';
}

function printBlock(block: Block, { layout, report, options }: Printing, indent: number): string[] {
  const { colours, wrap } = layout;
  // Neither broken nor wrapped, so that it can be copied.
  const command = (line: string | null): string[] =>
    line === null ? [] : [`${' '.repeat(indent + 2)}${colours.cyan(escapeText(line, longestShellLine))}`];
  switch (block.kind) {
    case 'operations':
      return operationsTable(report, layout);
    case 'finding': {
      const { sign, tone } = outcomeMarks[block.weight];
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
      const more = details.length - mostDetails;
      return [
        ...wrap(title, indent, lead ?? undefined),
        ...details.slice(0, mostDetails).flatMap((detail) => wrap(detail, indent + 2)),
        ...(more > 0 ? wrap([`and ${more} more: see `, { foreign: whereToLook(options) }], indent + 2) : []),
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
  const more = reasons.length - mostReasons;
  const hasCaveats = caveats.some((part) => part !== '');
  return [
    ...wrap([...(hasCaveats ? [...caveats, '  '] : [' ']), ...target], 0, {
      text: [`${mark.sign} ${verdict}${hasCaveats ? ':' : ''}`],
      tone: mark.tone,
    }),
    ...reasons.slice(0, mostReasons).flatMap((reason) => wrap(reason, 2)),
    ...(more > 0 ? [`  ${plural(more, 'more reason')}`] : []),
    ...(hint === null ? [] : wrap([hint], 2)),
    ...commands.map(([does, line]) => colours.dim(`  ${does.padEnd(labelWidth)}${line}`)),
  ];
}
