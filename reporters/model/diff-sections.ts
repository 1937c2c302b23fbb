import type { ShapeChangeKind } from '../../harness/results/diff-shapes.ts';
import type {
  BodyChange,
  CaseChange,
  FindingChange,
  ReportDiff,
  StatusChange,
} from '../../harness/results/report-diff.ts';
import { groupBy } from './group-by.ts';
import { plural } from './wording.ts';

/** One thing that changed, and where. */
export interface DiffEntry {
  readonly text: string;
  readonly details: readonly string[];
}

/** Changes of one kind, the same in every format. */
export interface DiffSection {
  readonly title: string;
  readonly tone: 'bad' | 'good' | 'doubt' | 'muted';
  readonly entries: readonly DiffEntry[];
}

/** Makes a text that may come from a target safe for the medium. */
export type Show = (text: string) => string;

/** All that changed, the gravest first; sections without entries are left out. */
export function diffSections(diff: ReportDiff, show: Show): readonly DiffSection[] {
  const breaking = diff.bodies.filter((change) => change.breaking);
  const unseen = diff.bodies.filter(({ kind }) => kind === 'not-seen');
  const others = diff.bodies.filter((change) => !change.breaking && change.kind !== 'not-seen');
  const sections: readonly DiffSection[] = [
    {
      title: 'Not comparable',
      tone: 'bad',
      entries: diff.obstacles.map((text) => ({ text: show(text), details: [] })),
    },
    { title: 'New failures', tone: 'bad', entries: findingEntries(diff.newFailures, show, true) },
    { title: 'Bodies: what breaks clients', tone: 'bad', entries: bodyEntries(breaking, show) },
    { title: 'Coverage lost', tone: 'bad', entries: caseEntries(diff.coverageLost, show) },
    { title: 'New warnings', tone: 'doubt', entries: findingEntries(diff.newWarnings, show, true) },
    { title: 'Fixed', tone: 'good', entries: findingEntries(diff.fixed, show, false) },
    { title: 'Warnings gone', tone: 'good', entries: findingEntries(diff.fixedWarnings, show, false) },
    { title: 'Still failing', tone: 'doubt', entries: findingEntries(diff.stillFailing, show, false) },
    { title: 'Bodies: what clients can live with', tone: 'muted', entries: bodyEntries(others, show) },
    {
      title: 'Bodies: not seen this time, so that nothing follows',
      tone: 'muted',
      entries: bodyEntries(unseen, show),
    },
    { title: 'Coverage gained', tone: 'good', entries: caseEntries(diff.coverageGained, show) },
    { title: 'Statuses no longer observed', tone: 'muted', entries: statusEntries(diff.statusesLost, show) },
    {
      title: 'Statuses observed for the first time',
      tone: 'muted',
      entries: statusEntries(diff.statusesGained, show),
    },
    {
      title: 'Circumstances',
      tone: 'muted',
      entries: diff.notes.map((text) => ({ text: show(text), details: [] })),
    },
  ];
  return sections.filter(({ entries }) => entries.length > 0);
}

/** What the whole comes to, in a sentence without texts of a target. */
export function diffSummary({
  regressions,
  obstacles,
  newFailures,
  coverageLost,
  bodies,
}: ReportDiff): string {
  if (regressions === 0) {
    return obstacles.length > 0
      ? 'no verdict: nothing got worse in what could be compared, but not all could'
      : 'no regression';
  }
  const broken = bodies.filter(({ breaking }) => breaking).length;
  const parts = [
    ...(newFailures.length > 0 ? [plural(newFailures.length, 'new failure')] : []),
    ...(broken > 0
      ? [`${plural(broken, 'change')} of bodies that break${broken === 1 ? 's' : ''} clients`]
      : []),
    ...(coverageLost.length > 0 ? [`${plural(coverageLost.length, 'case')} no longer tested`] : []),
  ];
  return `${plural(regressions, 'regression')}: ${parts.join(', ')}`;
}

function findingEntries(changes: readonly FindingChange[], show: Show, tellsBefore: boolean): DiffEntry[] {
  const groups = groupBy(changes, ({ requirement, level, message, expected, actual }) =>
    JSON.stringify([requirement, level, message, expected, actual]),
  );
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { requirement, level, message, expected, actual } = first;
    const expectation =
      expected === null || actual === null ? '' : `: expected ${show(expected)}, got ${show(actual)}`;
    return [
      {
        text: `${show(requirement)} ${level}  ${show(message)}${expectation}`,
        details: same.map(({ operation, check, finding, otherwise }) => {
          const before = tellsBefore && otherwise !== 'pass' ? `, before: ${otherwise}` : '';
          return `${show(operation)}  ${show(check)}${finding === null ? '' : `  finding ${show(finding)}`}${before}`;
        }),
      },
    ];
  });
}

function caseEntries(changes: readonly CaseChange[], show: Show): DiffEntry[] {
  return [...groupBy(changes, ({ operation, why }) => JSON.stringify([operation, why])).values()].flatMap(
    (same) => {
      const [first] = same;
      if (first === undefined) return [];
      return [
        {
          text: `${show(first.operation)}: ${plural(same.length, 'case')}, ${show(first.why)}`,
          details: same.map(({ check, before, after }) => `${show(check)}  ${before} → ${after}`),
        },
      ];
    },
  );
}

function statusEntries(changes: readonly StatusChange[], show: Show): DiffEntry[] {
  return [...groupBy(changes, ({ status }) => status)].map(([status, same]) => ({
    text: `${status} at ${same.map(({ operation }) => show(operation)).join(', ')}`,
    details: [],
  }));
}

const words: Readonly<Record<ShapeChangeKind, string>> = {
  gone: 'is gone',
  'type-changed': 'has another type',
  'became-optional': 'is not always there any more',
  'became-nullable': 'can be null now',
  added: 'is new',
  'became-required': 'is always there now',
  'no-longer-null': 'is not null any more',
  'not-seen': 'was not seen',
};

function bodyEntries(changes: readonly BodyChange[], show: Show): DiffEntry[] {
  const groups = groupBy(changes, ({ kind, path, renamedTo }) => JSON.stringify([kind, path, renamedTo]));
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { kind, path, renamedTo } = first;
    const name = path === '' ? 'the whole body' : show(path);
    const renamed = renamedTo === undefined ? '' : `, it seems to be ${show(renamedTo)} now`;
    const details = groupBy(same, ({ before, after, status }) => JSON.stringify([before, after, status]));
    return [
      {
        text: `${name} ${words[kind]}${renamed}`,
        details: [...details.values()].map((ones) => {
          const where = ones.map(({ operation }) => show(operation)).join(', ');
          return `${ones[0]?.status} at ${where}: ${changeText(ones[0])}`;
        }),
      },
    ];
  });
}

function changeText(change: BodyChange | undefined): string {
  if (change === undefined) return '';
  const { before, after } = change;
  if (before === null) return after ?? '';
  return after === null ? `was ${before}` : `${before} → ${after}`;
}
