import type { CaseResult, Report } from '../../harness/model/report.ts';

/** What would decide a group of inconclusive cases. */
export type Remedy =
  /** A line, or several, for the target file. */
  | { readonly kind: 'target-file'; readonly text: string }
  /** A flag of `run`. */
  | { readonly kind: 'flag'; readonly text: string }
  /** Something else to do. */
  | { readonly kind: 'advice'; readonly text: string }
  /** Nothing is known to decide it; the text is the reason. */
  | { readonly kind: 'none'; readonly text: string };

/** Inconclusive cases that one remedy would decide, or that share one reason. */
export interface OpenCases {
  readonly remedy: Remedy;
  readonly cases: readonly CaseResult[];
}

function remedyOf({ remedy, message }: CaseResult): Remedy {
  if (remedy === undefined) return { kind: 'none', text: message };
  if (/^\s*[A-Za-z][\w.]*:(\s|$)/.test(remedy)) return { kind: 'target-file', text: remedy };
  return { kind: /^--[a-z]/.test(remedy) ? 'flag' : 'advice', text: remedy };
}

/** Gathers what is inconclusive by what would decide it, the most fruitful first and the hopeless last. */
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
  const hopeless = (group: OpenCases): number => (group.remedy.kind === 'none' ? 1 : 0);
  return [...groups.values()].sort((a, b) => hopeless(a) - hopeless(b) || b.cases.length - a.cases.length);
}
