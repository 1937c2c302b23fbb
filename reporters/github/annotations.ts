import type { Report } from '../../harness/model/report.ts';
import { escapeText } from '../model/escape.ts';
import { findingText } from '../model/finding-text.ts';
import { operationsOf, rootCausesOf, type Weight } from '../model/root-causes.ts';
import { plural } from '../model/wording.ts';

/** GitHub shows this many annotations of a kind for each step, and drops the rest without a word. */
export const mostAnnotations = 10;

interface Annotation {
  readonly title: string;
  readonly lines: readonly (string | null)[];
}

/** Workflow commands that make annotations: an error for each root cause, a warning for each violated recommendation and for inconclusive cases. */
export function renderAnnotations(report: Report): string {
  const errors = [...runErrors(report), ...rootCauses(report, 'fail'), ...harnessErrors(report)];
  return [
    ...commands('error', errors),
    ...commands('warning', [...openCases(report), ...rootCauses(report, 'warn')]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Keeps a runner from reading commands in a text; `token` must be one that nobody can guess. */
export function withoutCommands(text: string, token: string): string {
  return `::stop-commands::${token}\n${text.endsWith('\n') ? text : `${text}\n`}::${token}::\n`;
}

function commands(kind: 'error' | 'warning', annotations: readonly Annotation[]): string[] {
  const more = annotations.length - mostAnnotations;
  const shown = more > 0 ? annotations.slice(0, mostAnnotations - 1) : annotations;
  const rest = { title: 'and more', lines: [`${more + 1} more of this kind: see the report`] };
  return (more > 0 ? [...shown, rest] : shown).map(({ title, lines }) => {
    const text = lines.filter((line) => line !== null).join('\n');
    return `::${kind} title=${property(escapeText(title))}::${data(text)}`;
  });
}

function runErrors({ run, verdict, reasons, summary }: Report): Annotation[] {
  if (run.unreachable !== undefined) return [{ title: 'no verdict', lines: [escapeText(run.unreachable)] }];
  if (verdict !== 'error' || summary.error > 0) return [];
  return [{ title: 'defect of the harness', lines: reasons.map((reason) => escapeText(reason)) }];
}

function rootCauses(report: Report, weight: Weight): Annotation[] {
  const groups = rootCausesOf(report).filter((group) => group.weight === weight);
  return groups.map((group) => {
    const text = findingText(group.example, report, escapeText);
    const others = operationsOf(group).length - 1;
    return {
      title: text.title,
      lines: [
        text.detail,
        text.expectation,
        text.contract,
        text.seen,
        others > 0 ? `the same at ${plural(others, 'more operation')}` : null,
      ],
    };
  });
}

function harnessErrors({ results }: Report): Annotation[] {
  return results
    .filter(({ outcome }) => outcome === 'error')
    .map(({ check, operation, message }) => ({
      title: `defect of the harness: ${check} at ${operation}`,
      lines: [escapeText(message)],
    }));
}

function openCases({ summary, reasons }: Report): Annotation[] {
  if (summary.inconclusive === 0) return [];
  return [
    {
      title: `${plural(summary.inconclusive, 'case')} were not tested`,
      lines: [...reasons.map((reason) => escapeText(reason)), 'The report says how to test them.'],
    },
  ];
}

// As the toolkit of GitHub Actions escapes.
/** A text as the message of a workflow command. */
export function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
