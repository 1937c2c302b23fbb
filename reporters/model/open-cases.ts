import type { CaseResult, Report } from '../../harness/model/report.ts';
import { quoted } from './replay-command.ts';
import { sentence } from './wording.ts';

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

function remedyIn(remedy: string): Remedy {
  if (/^\s*[A-Za-z][\w.]*:(\s|$)/.test(remedy)) return { kind: 'target-file', text: remedy };
  return { kind: /^--[a-z]/.test(remedy) ? 'flag' : 'advice', text: remedy };
}

/** Areas whose checks send calls of every kind. */
const sendingAreas = ['surface/*', 'auth/*', 'resource/*', 'request/*'];

/** The flag that chooses checks together with those whose calls they evaluate; undefined where they include these. */
export function withSendingChecks(chosen: readonly string[]): string | undefined {
  const further = sendingAreas.filter((area) => !chosen.includes(area));
  return further.length === 0 ? undefined : `--check ${[...chosen, ...further].map(quoted).join(' ')}`;
}

/** What helps a case that sends nothing itself in a run of chosen checks; undefined where it is not the choice. */
function widerChoice({ run: { options, unreachable, interrupted } }: Report): Remedy | undefined {
  const chosen = options['check'];
  if (!Array.isArray(chosen) || unreachable !== undefined || interrupted) return undefined;
  const flag = withSendingChecks(chosen.map(String));
  return flag === undefined
    ? undefined
    : {
        kind: 'advice',
        text: `The chosen checks send no matching call. Leave out --check, or choose checks that send calls too: ${flag}`,
      };
}

/** Groups inconclusive cases by remedy: the largest groups first, those without a remedy last. */
export function openCasesOf(report: Report): OpenCases[] {
  const open = report.results.filter(({ outcome }) => outcome === 'inconclusive');
  // A case that only reads the responses of others needs what they need.
  const needed = new Map<string, Remedy>();
  for (const { operation, remedy } of open) {
    if (remedy !== undefined && !needed.has(operation)) needed.set(operation, remedyIn(remedy));
  }
  const wider = widerChoice(report);
  const groups = new Map<string, { remedy: Remedy; cases: CaseResult[] }>();
  for (const result of open) {
    const sentNothing = result.exchanges.length === 0;
    const remedy =
      result.remedy !== undefined
        ? remedyIn(result.remedy)
        : ((sentNothing ? (needed.get(result.operation) ?? wider) : undefined) ?? {
            kind: 'none',
            text: result.message,
          });
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

/** Why the first of a group of cases was not tested. */
export function reasonOf([first]: readonly CaseResult[]): string {
  return sentence(first?.message ?? '');
}
