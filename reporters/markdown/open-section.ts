import type { CaseResult, Report } from '../../harness/model/report.ts';
import { type OpenCases, openCasesOf } from '../model/open-cases.ts';
import { number, plural } from '../model/wording.ts';
import { folded } from './findings-section.ts';
import { codeBlock, inline } from './inline.ts';

const longestRemedy = 2_000;
const mostNames = 8;

/** Inconclusive cases by remedy, the first `most` groups in full and the rest counted; empty without any. */
export function openSection(report: Report, most: number): string[] {
  const groups = openCasesOf(report);
  if (groups.length === 0) return [];
  const count = (open: readonly OpenCases[]): number =>
    open.reduce((sum, { cases }) => sum + cases.length, 0);
  const rest = groups.slice(most);
  return [
    `### Not tested: ${plural(count(groups), 'case')}`,
    ...groups.slice(0, most).flatMap(groupBlocks),
    ...(rest.length > 0
      ? [
          `… and ${plural(count(rest), 'more case')} for ${plural(rest.length, 'more reason')}: see report.json`,
        ]
      : []),
  ];
}

function groupBlocks({ remedy, cases }: OpenCases): string[] {
  const names = folded(`Which ${plural(cases.length, 'case')}`, [namesOf(cases)]);
  const many = plural(cases.length, 'more case');
  switch (remedy.kind) {
    case 'target-file':
      return [
        `Add this to the target file to test ${many}:`,
        codeBlock(remedy.text, 'yaml', longestRemedy),
        ...names,
      ];
    case 'flag':
      return [`Run again with this to test ${many}:`, codeBlock(remedy.text, 'sh', longestRemedy), ...names];
    case 'advice':
      return [`To test ${many}: ${inline(remedy.text)}`, ...names];
    case 'none':
      return [`Not tested, ${plural(cases.length, 'case')}: ${inline(remedy.text)}`, ...names];
  }
}

function namesOf(cases: readonly CaseResult[]): string {
  const shown = cases
    .slice(0, mostNames)
    .map(({ check, operation }) => `${inline(check)} at ${inline(operation)}`);
  const more = cases.length - mostNames;
  return shown.join(', ') + (more > 0 ? ` and ${number(more)} more` : '');
}
