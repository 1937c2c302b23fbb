import type { CaseResult, Report } from '../../harness/model/report.ts';

/** What lets the next run test a group of inconclusive cases. */
export type Remedy =
  /** A line, or several, for the target file. */
  | { readonly kind: 'target-file'; readonly text: string }
  /** A flag of `run`. */
  | { readonly kind: 'flag'; readonly text: string }
  /** Something else to do. */
  | { readonly kind: 'advice'; readonly text: string }
  /** Nothing known helps; the text is the reason. */
  | { readonly kind: 'none'; readonly text: string };

/** Inconclusive cases that share one remedy or one reason. */
export interface OpenCases {
  readonly remedy: Remedy;
  readonly cases: readonly CaseResult[];
}

function remedyOf({ remedy, message }: CaseResult): Remedy {
  if (remedy === undefined) return { kind: 'none', text: message };
  if (/^\s*[A-Za-z][\w.]*:(\s|$)/.test(remedy)) return { kind: 'target-file', text: remedy };
  return { kind: /^--[a-z]/.test(remedy) ? 'flag' : 'advice', text: remedy };
}

/** Groups inconclusive cases by remedy: the largest groups first, those without a remedy last. */
export function openCasesOf(report: Report): OpenCases[] {
  const groups = new Map<string, { remedy: Remedy; cases: CaseResult[] }>();
  for (const result of report.results) {
    if (result.outcome !== 'inconclusive') continue;
    const remedy = remedyOf(result);
    const key = `${remedy.kind} ${remedy.text}`;
    const group = groups.get(key) ?? { remedy, cases: [] };
    group.cases.push(result);
    groups.set(key, group);
  }
  const withoutRemedy = (group: OpenCases): number => (group.remedy.kind === 'none' ? 1 : 0);
  return [...groups.values()].sort(
    (a, b) => withoutRemedy(a) - withoutRemedy(b) || b.cases.length - a.cases.length,
  );
}
