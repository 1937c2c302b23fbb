import { groupsOf } from '../../harness/group-by.ts';
import type { CaseResult, Report } from '../../harness/model/report.ts';
import { quoted } from './replay-command.ts';
import { withServedRate } from './slowdown.ts';
import { sentence } from './wording.ts';

/** The remedy that lets the next run test a group of inconclusive cases. */
export interface Remedy {
  readonly kind: keyof typeof openings;
  /** The remedy, or the reason if no remedy is known. */
  readonly text: string;
}

/** The kind of remedy: lines for the target file, a flag of `run`, another action, or none. */
export const openings = {
  'target-file': 'Add this to the target file to test',
  flag: 'Run again with this to test',
  advice: 'Do this to test',
  none: 'Not tested,',
} as const;

/** Inconclusive cases that share one remedy or one reason. */
export interface OpenCases {
  readonly remedy: Remedy;
  readonly cases: readonly CaseResult[];
}

function remedyIn(remedy: string, report: Report): Remedy {
  const text = withServedRate(remedy, report);
  if (/^\s*[A-Za-z][\w.]*:(\s|$)/.test(text)) return { kind: 'target-file', text };
  return { kind: /^--[a-z]/.test(text) ? 'flag' : 'advice', text };
}

/** Areas whose checks send calls of every kind. */
const sendingAreas = ['surface/*', 'auth/*', 'resource/*', 'request/*'];

/** The flag that chooses checks together with those whose calls they evaluate; undefined where they include these. */
export function withSendingChecks(chosen: readonly string[]): string | undefined {
  const further = sendingAreas.filter((area) => !chosen.includes(area));
  return further.length === 0 ? undefined : `--check ${[...chosen, ...further].map(quoted).join(' ')}`;
}

/** The remedy for a case that sends nothing itself in a run of selected checks; undefined if the selection is not the reason. */
function widerChoice({ run: { options, unreachable, interrupted } }: Report): Remedy | undefined {
  const chosen = options['check'];
  if (!Array.isArray(chosen) || unreachable !== undefined || interrupted) return undefined;
  const flag = withSendingChecks(chosen.map(String));
  if (flag === undefined) return undefined;
  const ways = `Leave out --check, or choose checks that send calls too: ${flag}`;
  return { kind: 'advice', text: `The chosen checks send no matching call. ${ways}` };
}

/** Groups inconclusive cases by remedy: the largest groups first, those without a remedy last. */
export function openCasesOf(report: Report): OpenCases[] {
  const open = report.results.filter(({ outcome }) => outcome === 'inconclusive');
  // A case that only reads the responses of others has their needs.
  const needed = new Map<string, Remedy>();
  // Backwards, so that the first need of an operation stays.
  for (const { operation, remedy } of open.toReversed())
    if (remedy !== undefined) needed.set(operation, remedyIn(remedy, report));
  const wider = widerChoice(report);
  const remedyOf = ({ remedy, exchanges, operation, message }: CaseResult): Remedy => {
    if (remedy !== undefined) return remedyIn(remedy, report);
    const others = exchanges.length === 0 ? (needed.get(operation) ?? wider) : undefined;
    return others ?? { kind: 'none', text: message };
  };
  const withoutRemedy = ({ remedy }: OpenCases): number => (remedy.kind === 'none' ? 1 : 0);
  return groupsOf(open, remedyOf)
    .map((cases) => ({ remedy: remedyOf(cases[0]), cases }))
    .sort((a, b) => withoutRemedy(a) - withoutRemedy(b) || b.cases.length - a.cases.length);
}

/** Why the first of a group of cases was not tested. */
export function reasonOf([first]: readonly CaseResult[]): string {
  return sentence(first?.message ?? '');
}
