import type { Exchange } from '../../harness/model/exchange.ts';
import type { Report } from '../../harness/model/report.ts';
import { findingText } from '../model/finding-text.ts';
import {
  membersOf,
  operationsOf,
  type RootCauseGroup,
  rootCausesOf,
  type Weight,
} from '../model/root-causes.ts';
import type { Violation } from '../model/violation.ts';
import { number, plural } from '../model/wording.ts';
import { code, codeBlock, inline } from './inline.ts';

const longestShellLine = 4_000;
const longestBody = 600;
const mostOperations = 25;

/** Root causes under a heading, the first `most` in full and the rest counted; empty without any. */
export function findingsSection(title: string, weight: Weight, report: Report, most: number): string[] {
  const groups = rootCausesOf(report).filter((group) => group.weight === weight);
  if (groups.length === 0) return [];
  const findings = groups.reduce((sum, group) => sum + membersOf(group).length, 0);
  const operations = new Set(groups.flatMap(operationsOf)).size;
  const rest = groups.slice(most).reduce((sum, { others }) => sum + others.length + 1, 0);
  return [
    `### ${title}: ${plural(groups.length, 'root cause')}, ${plural(findings, 'finding')} at ${plural(operations, 'operation')}`,
    ...groups.slice(0, most).flatMap((group) => groupBlocks(group, report)),
    ...(rest > 0 ? [`… and ${plural(rest, 'more finding')}: see report.json`] : []),
  ];
}

function groupBlocks(group: RootCauseGroup, report: Report): string[] {
  const { example, others } = group;
  const text = findingText(example, report, inline);
  const facts = [text.detail, text.expectation, text.contract, text.seen, text.logged, text.accepted].filter(
    (line) => line !== null,
  );
  return [
    `#### ${text.title}`,
    ...(others.length > 0 ? [sharedBy(group)] : []),
    facts.join('  \n'),
    ...(example.finding === null ? [] : folded('Request and response', evidence(example.finding))),
  ].filter((block) => block !== '');
}

function sharedBy(group: RootCauseGroup): string {
  const operations = operationsOf(group);
  const shown = operations.slice(0, mostOperations).map(inline).join(', ');
  const more = operations.length - mostOperations;
  const cause = `One root cause, ${plural(group.others.length + 1, 'finding')} at ${plural(operations.length, 'operation')}`;
  return `${cause}: ${shown}${more > 0 ? ` and ${number(more)} more` : ''}`;
}

function evidence({ reproduction, exchange }: NonNullable<Violation['finding']>): string[] {
  return [codeBlock(reproduction, 'sh', longestShellLine), ...answer(exchange)];
}

function answer({ response, failure }: Exchange): string[] {
  if (response === undefined) {
    return failure === undefined ? [] : [`No response: ${inline(failure.kind)}, ${inline(failure.message)}`];
  }
  const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const { text, bytes } = response.body;
  const head = `Answered ${response.status}${type === undefined ? '' : `, ${code(type)}`}, ${plural(bytes, 'byte')}`;
  return text === '' ? [head] : [head, codeBlock(text, '', longestBody)];
}

/** Blocks behind a line that opens them; `summary` must be plain words, as Markdown does not apply in it. */
export function folded(summary: string, blocks: readonly string[]): string[] {
  return [`<details><summary>${summary}</summary>`, ...blocks, '</details>'];
}
