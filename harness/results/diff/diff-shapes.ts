import { containerOf, itemsStep, mapStep, parentOf, stepOf } from '../../evidence/body-shape.ts';
import type { BodyShape, JsonType, ShapeMember } from '../../model/report.ts';

/** How one place of the bodies changed. */
export type ShapeChangeKind =
  /** It was always there, and never is now. */
  | 'gone'
  /** It holds values of a type that it did not hold. */
  | 'type-changed'
  /** It was always there, and only sometimes is now. */
  | 'became-optional'
  /** It was never null, and is now, at least sometimes. */
  | 'became-nullable'
  | 'added'
  | 'became-required'
  /** It was never anything but what may be null, and is not null any more. */
  | 'no-longer-null'
  /** It was there sometimes, or below what is not there now: nothing follows from its absence. */
  | 'not-seen';

/** A change of one place, the changes below it left out. */
export interface ShapeChange {
  readonly kind: ShapeChangeKind;
  readonly path: string;
  /** The earlier state and its frequency, in words without values. */
  readonly before: string | null;
  readonly after: string | null;
  /** The probable new name, if there is only one candidate. */
  readonly renamedTo?: string;
}

const breaking: ReadonlySet<ShapeChangeKind> = new Set([
  'gone',
  'type-changed',
  'became-optional',
  'became-nullable',
]);

/** Whether a client that reads the bodies as they were can break. */
export function isBreaking({ kind }: Pick<ShapeChange, 'kind'>): boolean {
  return breaking.has(kind);
}

/** The changes from one shape to another, sorted by path. */
export function diffShapes(before: BodyShape, after: BodyShape): readonly ShapeChange[] {
  const old = new Map(before.members.map((member) => [member.path, member]));
  const now = new Map(after.members.map((member) => [member.path, member]));
  // Nothing at all was read of one of the two.
  if (!old.has('') || !now.has('')) return [];
  const changes: ShapeChange[] = [];
  /** Places whose parts are not listed separately. */
  const settled = new Set<string>();
  for (const member of before.members) {
    if (settled.has(parentOf(member.path)) && member.path !== '') {
      settled.add(member.path);
      continue;
    }
    const found = now.get(member.path);
    const change =
      found === undefined ? changeOfAbsent(member, now, after.cut) : changeOfPresent(member, found);
    if (change === undefined) continue;
    changes.push(change);
    if (change.kind === 'gone' || change.kind === 'not-seen' || change.kind === 'type-changed')
      settled.add(member.path);
  }
  for (const member of after.members) {
    if (old.has(member.path) || settled.has(member.path)) continue;
    if (settled.has(parentOf(member.path)) || !isPossible(member, old)) settled.add(member.path);
    else if (!before.cut && isNamed(member.path)) {
      settled.add(member.path);
      changes.push({ kind: 'added', path: member.path, before: null, after: describe(member) });
    }
  }
  return withRenamings(changes, before, after).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Items of arrays and entries of maps are data: whether there are any says nothing. */
function isNamed(path: string): boolean {
  const step = stepOf(path);
  return step !== itemsStep && step !== mapStep;
}

/** Whether there was anything that could have had it. */
function isPossible({ path }: ShapeMember, members: ReadonlyMap<string, ShapeMember>): boolean {
  return (members.get(parentOf(path))?.types[containerOf(path)] ?? 0) > 0;
}

function changeOfAbsent(member: ShapeMember, now: Map<string, ShapeMember>, cut: boolean): ShapeChange {
  const wasAlways = member.seen === member.of;
  const couldBe = isPossible(member, now);
  const kind = wasAlways && couldBe && isNamed(member.path) && !cut ? 'gone' : 'not-seen';
  const parent = now.get(parentOf(member.path));
  const parents = parent?.types[containerOf(member.path)] ?? 0;
  const after = couldBe ? `in none of ${parents}` : null;
  return { kind, path: member.path, before: describe(member), after };
}

function changeOfPresent(before: ShapeMember, after: ShapeMember): ShapeChange | undefined {
  const { path } = before;
  const change = (kind: ShapeChangeKind): ShapeChange => ({
    kind,
    path,
    before: describe(before),
    after: describe(after),
  });
  const old = typesOf(before);
  const now = typesOf(after);
  const foreign = [...now].some((type) => !old.has(type));
  if (old.size > 0 && foreign) return change('type-changed');
  const wasNull = 'null' in before.types;
  const isNull = 'null' in after.types;
  if (!wasNull && isNull) return change('became-nullable');
  if (isNamed(path) && before.seen === before.of && after.seen < after.of) return change('became-optional');
  if (isNamed(path) && before.seen < before.of && after.seen === after.of) return change('became-required');
  if (wasNull && !isNull) return change('no-longer-null');
  return undefined;
}

function typesOf({ types }: ShapeMember): ReadonlySet<string> {
  return new Set(Object.keys(types).filter((type) => type !== 'null'));
}

/** Such as `string or null, in 3 of 12`. */
function describe({ path, types, seen, of }: ShapeMember): string {
  const names = (Object.keys(types) as JsonType[]).sort(
    (a, b) => Number(a === 'null') - Number(b === 'null'),
  );
  const text = names.join(' or ');
  return path === '' || !isNamed(path)
    ? text
    : `${text}, ${seen === of ? `in all ${of}` : `in ${seen} of ${of}`}`;
}

/** If one member is gone and another of exactly the same shape is new next to it, the member was renamed. */
function withRenamings(changes: readonly ShapeChange[], before: BodyShape, after: BodyShape): ShapeChange[] {
  const of = (kind: ShapeChangeKind, body: BodyShape): ReadonlyArray<readonly [ShapeChange, make: string]> =>
    changes
      .filter((change) => change.kind === kind)
      .map((change) => [change, `${parentOf(change.path)}\n${makeOf(change.path, body)}`]);
  const [gone, added] = [of('gone', before), of('added', after)];
  return changes.map((change) => {
    const [, own] = gone.find(([one]) => one === change) ?? [];
    const [only, ...others] = added.filter(([, make]) => make === own);
    const isUnclear = others.length > 0 || gone.filter(([, make]) => make === own).length > 1;
    return only === undefined || isUnclear ? change : { ...change, renamedTo: only[0].path };
  });
}

/** Types and presence of a place and of all below it. */
function makeOf(path: string, { members }: BodyShape): string {
  return members
    .filter((member) => member.path === path || member.path.startsWith(`${path}/`))
    .map(
      ({ path: own, types, seen, of }) =>
        `${own.slice(path.length)} ${Object.keys(types).sort().join()} ${own !== path && seen < of ? '?' : ''}`,
    )
    .join('\n');
}
