import { groupsOf } from '../../harness/group-by.ts';
import type {
  BodyChange,
  CaseChange,
  FindingChange,
  ReportDiff,
  StatusChange,
} from '../../harness/results/diff/diff-reports.ts';
import type { ShapeChangeKind } from '../../harness/results/diff/diff-shapes.ts';
import { type Mark, type Tone, verdictMarks } from '../model/marks.ts';
import { plural } from '../model/wording.ts';
import { type EntryBlock, entry, joined, type Section, say, section, type Text } from './block.ts';

/** All that changed, the gravest first; sections without entries are left out. */
export function diffSections(diff: ReportDiff): readonly Section<EntryBlock>[] {
  const breaking = diff.bodies.filter((change) => change.breaking);
  const unseen = diff.bodies.filter(({ kind }) => kind === 'not-seen');
  const others = diff.bodies.filter((change) => !change.breaking && change.kind !== 'not-seen');
  const sections: ReadonlyArray<readonly [title: string, tone: Tone, entries: readonly EntryBlock[]]> = [
    ['Not comparable', 'bad', diff.obstacles.map((text) => entry(say`${text}`))],
    ['New failures', 'bad', findingEntries(diff.newFailures, true)],
    ['Body changes that break clients', 'bad', bodyEntries(breaking)],
    ['Coverage lost', 'bad', caseEntries(diff.coverageLost)],
    ['New warnings', 'doubt', findingEntries(diff.newWarnings, true)],
    ['Fixed', 'good', findingEntries(diff.fixed, false)],
    ['Warnings gone', 'good', findingEntries(diff.fixedWarnings, false)],
    ['Still failing', 'doubt', findingEntries(diff.stillFailing, false)],
    ['Body changes that clients tolerate', 'muted', bodyEntries(others)],
    ['Bodies not observed this time', 'muted', bodyEntries(unseen)],
    ['Coverage gained', 'good', caseEntries(diff.coverageGained)],
    ['Statuses no longer observed', 'muted', statusEntries(diff.statusesLost)],
    ['Statuses observed for the first time', 'muted', statusEntries(diff.statusesGained)],
    ['Circumstances', 'muted', diff.notes.map((text) => entry(say`${text}`))],
  ];
  return sections
    .filter(([, , blocks]) => blocks.length > 0)
    .map(([title, tone, blocks]) => section(tone, [title], blocks));
}

/** The two reports, and the result of their comparison. */
export function diffVerdict(diff: ReportDiff): {
  readonly mark: Pick<Mark, 'sign' | 'tone'>;
  readonly summary: string;
  readonly sides: readonly [old: Text, new: Text];
} {
  const side = (name: string, { startedAt, baseUrl, verdict }: ReportDiff['old']): Text =>
    say`${[name]}  ${startedAt}  ${baseUrl}  ${verdict}`;
  const unless = diff.obstacles.length > 0 ? 'incomplete' : 'conformant';
  return {
    mark: verdictMarks[diff.regressions > 0 ? 'non-conformant' : unless],
    summary: diffSummary(diff),
    sides: [side('old', diff.old), side('new', diff.new)],
  };
}

/** In a sentence without texts of a target. */
function diffSummary({ regressions, obstacles, newFailures, coverageLost, bodies }: ReportDiff): string {
  if (regressions === 0) {
    return obstacles.length > 0
      ? 'no verdict: no regression found, but not everything could be compared'
      : 'no regression';
  }
  const broken = bodies.filter(({ breaking }) => breaking).length;
  const parts = [
    newFailures.length > 0 && plural(newFailures.length, 'new failure'),
    broken > 0 && `${plural(broken, 'change')} of bodies that break${broken === 1 ? 's' : ''} clients`,
    coverageLost.length > 0 && `${plural(coverageLost.length, 'case')} no longer tested`,
  ];
  return `${plural(regressions, 'regression')}: ${parts.filter(Boolean).join(', ')}`;
}

function operationsOf(changes: ReadonlyArray<{ readonly operation: string }>): Text {
  const names = changes.map(({ operation }) => say`${operation}`);
  return joined(names, ', ');
}

function findingEntries(changes: readonly FindingChange[], tellsBefore: boolean): EntryBlock[] {
  const saidBy = (one: FindingChange) => [one.requirement, one.level, one.message, one.expected, one.actual];
  return groupsOf(changes, saidBy).map((same) => {
    const [{ requirement, level, message, expected, actual }] = same;
    const change = expected === null || actual === null ? [] : say`: expected ${expected}, got ${actual}`;
    return entry(
      say`${requirement} ${[level]}  ${message}${change}`,
      same.map(({ operation, check, finding, otherwise }) => {
        const before = tellsBefore && otherwise !== 'pass' ? `, before: ${otherwise}` : '';
        return say`${operation}  ${check}${finding === null ? [] : say`  finding ${finding}`}${[before]}`;
      }),
    );
  });
}

function caseEntries(changes: readonly CaseChange[]): EntryBlock[] {
  return groupsOf(changes, ({ operation, why }) => [operation, why]).map((same) =>
    entry(
      say`${same[0].operation}, ${[plural(same.length, 'case')]}: ${same[0].why}`,
      same.map(({ check, before, after }) => say`${check}  ${[`${before} → ${after}`]}`),
    ),
  );
}

function statusEntries(changes: readonly StatusChange[]): EntryBlock[] {
  return groupsOf(changes, ({ status }) => status).map((same) =>
    entry(say`${same[0].status} at ${operationsOf(same)}`),
  );
}

const words: Readonly<Record<ShapeChangeKind, string>> = {
  gone: 'is gone',
  'type-changed': 'changed its type',
  'became-optional': 'is no longer always present',
  'became-nullable': 'can now be null',
  added: 'is new',
  'became-required': 'is now always present',
  'no-longer-null': 'is no longer null',
  'not-seen': 'was not seen',
};

function bodyEntries(changes: readonly BodyChange[]): EntryBlock[] {
  return groupsOf(changes, ({ kind, path, renamedTo }) => [kind, path, renamedTo]).map((same) => {
    const [{ kind, path, renamedTo }] = same;
    const name = path === '' ? ['the whole body'] : say`${path}`;
    const renamed = renamedTo === undefined ? [] : say`, probably renamed to ${renamedTo}`;
    const details = groupsOf(same, ({ before, after, status }) => [before, after, status]);
    return entry(
      say`${name} ${[words[kind]]}${renamed}`,
      details.map((ones) => {
        const [{ status, before, after }] = ones;
        const was = after === null ? `was ${before}` : `${before} → ${after}`;
        return say`${status} at ${operationsOf(ones)}: ${[before === null ? (after ?? '') : was]}`;
      }),
    );
  });
}
