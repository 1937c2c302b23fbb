import type { Exchange } from '../../harness/model/exchange.ts';
import type { Report } from '../../harness/model/report.ts';
import type { ReportDiff } from '../../harness/results/diff/diff-reports.ts';
import {
  type Block,
  type FindingBlock,
  firstLines,
  type SectionName,
  say,
  type Text,
  written,
} from '../blocks/block.ts';
import { diffSections, diffVerdict } from '../blocks/diff-sections.ts';
import { lineOf } from '../blocks/findings.ts';
import { reportSections } from '../blocks/report-sections.ts';
import { countedOutcomes, outcomeMarks, standingMarks } from '../model/marks.ts';
import { operationsInWords } from '../model/run-figures.ts';
import { standingsOf } from '../model/standing.ts';
import { number, plural } from '../model/wording.ts';
import { code, codeBlock, inline } from './inline.ts';

/** GitHub drops the whole summary of a step beyond 1 MiB, and others may write to the same one. */
export const mostBytes: number = 512 * 1024;

const mostReasons = 6;
const mostDetails = 50;
const longestShellLine = 4_000;
// Lines that are cut cannot be pasted.
const longestYaml = 20_000;
const longestBody = 600;

/** The verdict first, then the parts that require action. */
const order: ReadonlyArray<readonly [name: SectionName, isFolded?: true]> = [
  ['verdict'],
  ['gate'],
  ['figures'],
  ['fail'],
  ['errors'],
  ['open'],
  ['warn'],
  ['notes', true],
  ['custom'],
  ['operations', true],
];

/** A summary for the page of a CI job; never longer than `mostBytes`. */
export function renderMarkdown(report: Report): string {
  const sections = reportSections(report);
  for (const most of [20, 5, 1]) {
    const text = summary(report, sections, most);
    if (Buffer.byteLength(text) <= mostBytes) return text;
  }
  return summary(report, sections, 0);
}

/** The changes between two reports as Markdown; text from a target is plain prose or code. */
export function diffMarkdown(diff: ReportDiff): string {
  const { mark, summary, sides } = diffVerdict(diff);
  const sections = diffSections(diff).map(({ heading, blocks }) => [
    `### ${markdown(heading)}`,
    blocks.map(({ title, details }) => listEntry(title, details)).join('\n'),
  ]);
  const lines = [`## ${mark.sign} ${summary}`, sides.map((side) => `- ${markdown(side)}`).join('\n')];
  return `${[...lines, ...sections.flat()].join('\n\n')}\n`;
}

function summary(report: Report, sections: ReturnType<typeof reportSections>, most: number): string {
  const parts = order.flatMap(([name, isFolded]) => {
    const section = sections.get(name);
    if (section === undefined) return [];
    const { heading, blocks } = section;
    // Verdict, figures and gate do not form a list.
    const shown = heading.length === 0 || name === 'operations' ? blocks : blocks.slice(0, most);
    const parts = [
      ...shown.flatMap((block) => printBlock(block, report)),
      ...(shown.length < blocks.length ? [`… and ${section.rest(shown.length)}: see report.json`] : []),
    ];
    if (heading.length === 0) return parts;
    if (!isFolded) return [`### ${markdown(heading)}`, ...parts];
    // Markdown does not apply in the summary of a fold, so it contains only our own words.
    const counted = `${plural(blocks.length, 'note')}, not counted`;
    return folded(name === 'operations' ? operationsInWords(report) : counted, parts);
  });
  return `${parts.join('\n\n')}\n`;
}

/** A text as Markdown, with everything foreign as harmless prose or as code. */
function markdown(text: Text): string {
  return written(text, inline);
}

function listEntry(title: Text, details: readonly Text[]): string {
  const shown = firstLines(details, mostDetails, (more) => say`… and ${more} more`);
  return [`- ${markdown(title)}`, ...shown.map((line) => `  - ${markdown(line)}`)].join('\n');
}

function printBlock(block: Block, report: Report): string[] {
  switch (block.kind) {
    case 'verdict': {
      const { mark, verdict, caveats, target, reasons, hint } = block;
      const told = firstLines(reasons, mostReasons, (more) => [`… and ${plural(more, 'more reason')}`]);
      return [
        `## ${mark.sign} ${verdict}`,
        markdown(target),
        ...[caveats, [hint ?? '']].map(markdown).filter((line) => line !== ''),
        told.map((reason) => `- ${markdown(reason)}`).join('\n'),
      ];
    }
    case 'facts':
      return [
        block.facts
          .map(([name, text]) => `- ${name === '' || name === 'cases' ? '' : `${name}: `}${markdown(text)}`)
          .join('\n'),
      ];
    case 'finding':
      return findingParts(block);
    case 'remedy': {
      const { remedy, cases } = block.open;
      const isCode = remedy.kind === 'target-file' || remedy.kind === 'flag';
      const language = remedy.kind === 'flag' ? 'sh' : 'yaml';
      return [
        `${markdown(block.opening)}${isCode ? '' : ` ${inline(remedy.text)}`}`,
        ...(isCode ? [codeBlock(remedy.text, language, longestYaml)] : []),
        ...folded(`Which ${plural(cases.length, 'case')}`, [markdown(block.names)]),
      ];
    }
    case 'entry': {
      const { lead, title, details, command } = block;
      return [
        listEntry(lead === undefined ? title : [...lead.text, ' ', ...title], details),
        ...(command ? [codeBlock(command, 'sh', longestShellLine)] : []),
      ];
    }
    case 'operations':
      return [operationsTable(report)];
  }
}

function findingParts({ rule, title, facts, reproduction, group }: FindingBlock): string[] {
  const [{ finding }] = group.members;
  const { exclude, accept } = group.named ?? {};
  const ways = [
    ['Exclude it in the target file:', exclude] as const,
    ['Accept it in the baseline:', accept] as const,
  ].flatMap(([does, lines]) => (lines === undefined ? [] : [does, codeBlock(lines, 'yaml', longestYaml)]));
  return [
    `#### ${markdown(rule)}  ${markdown(title)}`,
    facts.map((fact) => markdown(lineOf(fact))).join('  \n'),
    ...(finding === null || reproduction === null
      ? []
      : folded('Request and response', [
          codeBlock(reproduction, 'sh', longestShellLine),
          ...answer(finding.exchange),
        ])),
    ...(ways.length > 0 ? folded('Accept it instead', ways) : []),
  ];
}

function answer({ response, failure }: Exchange): string[] {
  if (response === undefined)
    return failure === undefined ? [] : [`No response: ${inline(failure.kind)}, ${inline(failure.message)}`];
  const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const { text, bytes } = response.body;
  const head = `Answered ${response.status}${type === undefined ? '' : `, ${code(type)}`}, ${plural(bytes, 'byte')}`;
  return text === '' ? [head] : [head, codeBlock(text, '', longestBody)];
}

function operationsTable(report: Report): string {
  const rows = standingsOf(report).map(({ operation, standing, counts }) => {
    const { sign, word } = standingMarks[standing];
    const cells = countedOutcomes.map((outcome) => (counts[outcome] === 0 ? '' : number(counts[outcome])));
    return `| ${[`${sign} ${word}`, inline(operation.id), ...cells].join(' | ')} |`;
  });
  return [
    `| standing | operation | ${countedOutcomes.map((outcome) => outcomeMarks[outcome].word).join(' | ')} |`,
    `| :--- | :--- | ${countedOutcomes.map(() => '---:').join(' | ')} |`,
    ...rows,
  ].join('\n');
}

/** Parts behind a line that opens them. */
function folded(opening: string, parts: readonly string[]): string[] {
  return [`<details><summary>${opening}</summary>`, ...parts, '</details>'];
}
