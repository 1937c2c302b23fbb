import type { Report } from '../../harness/model/report.ts';
import { type Block, type FactName, plain, type SectionName, type Text } from '../blocks/block.ts';
import { lineOf } from '../blocks/findings.ts';
import { reportSections } from '../blocks/report-sections.ts';
import { plural } from '../model/wording.ts';

/** GitHub shows this many annotations of a kind for each step, and drops the rest without a word. */
export const mostAnnotations = 10;

interface Annotation {
  readonly title: Text;
  readonly lines: readonly Text[];
}

/** Workflow commands that make annotations: an error for each root cause, a warning for each violated recommendation and for inconclusive cases. */
export function renderAnnotations(report: Report): string {
  const sections = reportSections(report);
  const of = (name: SectionName): Annotation[] => (sections.get(name)?.blocks ?? []).flatMap(annotationsOf);
  return [
    ...commands('error', [...runErrors(report), ...of('fail'), ...of('errors')]),
    ...commands('warning', [...openCases(report), ...of('warn')]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Keeps a runner from reading commands in a text; `token` must be one that nobody can guess. */
export function withoutCommands(text: string, token: string): string {
  return `::stop-commands::${token}\n${text.endsWith('\n') ? text : `${text}\n`}::${token}::\n`;
}

function commands(kind: 'error' | 'warning', annotations: readonly Annotation[]): string[] {
  const more = annotations.length - mostAnnotations + 1;
  const rest: Annotation = { title: ['and more'], lines: [[`${more} more of this kind: see the report`]] };
  const shown = more > 1 ? [...annotations.slice(0, mostAnnotations - 1), rest] : annotations;
  return shown.map(({ title, lines }) => {
    const escaped = data(plain(title)).replaceAll(':', '%3A').replaceAll(',', '%2C');
    return `::${kind} title=${escaped}::${data(lines.map((line) => plain(line)).join('\n'))}`;
  });
}

function runErrors({ run, verdict, reasons, summary }: Report): Annotation[] {
  if (run.unreachable !== undefined)
    return [{ title: ['no verdict'], lines: [[{ foreign: run.unreachable }]] }];
  if (verdict !== 'error' || summary.error > 0) return [];
  return [{ title: ['defect of the harness'], lines: reasons.map((foreign) => [{ foreign }]) }];
}

// Beside an annotation there is little room; the log has these.
const logOnly: readonly FactName[] = ['also', 'logged', 'accepted'];

function annotationsOf(block: Block): Annotation[] {
  if (block.kind === 'entry') return [{ title: ['defect of the harness'], lines: [block.title] }];
  if (block.kind !== 'finding') return [];
  const facts = block.facts.filter(({ name }) => !logOnly.includes(name));
  return [{ title: [...block.rule, '  ', ...block.title], lines: facts.map(lineOf) }];
}

function openCases({ summary, reasons, run }: Report): Annotation[] {
  if (summary.inconclusive === 0 || run.unreachable !== undefined) return [];
  const lines = [...reasons.map((foreign) => [{ foreign }]), ['The report says how to test them.']];
  return [{ title: [`Not tested: ${plural(summary.inconclusive, 'case')}`], lines }];
}

// As the toolkit of GitHub Actions escapes.
/** A text as the message of a workflow command. */
export function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
