import type { Members } from '../model/supplied-document.ts';
import { type Steps, stepsOfFragment } from './json-pointers.ts';
import { isMembers } from './supplied-document.ts';

/** A value in a document and the way to it that leads through no reference. */
export interface Place {
  readonly steps: Steps;
  readonly value: unknown;
}

/** The root of a document. */
export function rootOf(content: Members): Place {
  return { steps: [], value: content };
}

/** What a place refers to in the end, or the place itself; undefined where a reference leads nowhere. */
export function follow(content: Members, place: Place | undefined): Place | undefined {
  return followed(content, place, new Set()).at(-1);
}

/** The places that a reference leads through: the first is the place itself, the last is where it ends. */
export function trail(content: Members, place: Place | undefined): readonly Place[] {
  return followed(content, place, new Set()).filter((one) => one !== undefined);
}

/** The member at the end of these names, references on the way followed; undefined where there is none. */
export function reach(content: Members, place: Place | undefined, ...names: Steps): Place | undefined {
  return walk(content, place, names, new Set());
}

/** The members of the object at a place, references followed. */
export function membersOf(
  content: Members,
  place: Place | undefined,
): ReadonlyArray<readonly [string, Place]> {
  const found = follow(content, place);
  if (found === undefined || typeof found.value !== 'object' || found.value === null) return [];
  return Object.entries(found.value).map(([name, value]) => [name, { steps: [...found.steps, name], value }]);
}

/** Whether references lead from a place to themselves, or to nothing. */
export function leadsNowhere(content: Members, place: Place): boolean {
  return follow(content, place) === undefined;
}

function followed(
  content: Members,
  start: Place | undefined,
  seen: ReadonlySet<string>,
): ReadonlyArray<Place | undefined> {
  const places: Array<Place | undefined> = [start];
  const visited = new Set(seen);
  for (let place = start; place !== undefined && isMembers(place.value); ) {
    const reference = place.value['$ref'];
    if (typeof reference !== 'string') break;
    const steps = reference.startsWith('#') ? stepsOfFragment(reference.slice(1)) : undefined;
    place =
      steps === undefined || visited.has(reference)
        ? undefined
        : walk(content, rootOf(content), steps, visited.add(reference));
    places.push(place);
  }
  return places;
}

function walk(
  content: Members,
  from: Place | undefined,
  names: Steps,
  seen: ReadonlySet<string>,
): Place | undefined {
  let place = from;
  for (const name of names) {
    place = stepInto(place, name) ?? stepInto(followed(content, place, seen).at(-1), name);
  }
  return place;
}

function stepInto(place: Place | undefined, name: string): Place | undefined {
  if (typeof place?.value !== 'object' || place.value === null || !Object.hasOwn(place.value, name)) {
    return undefined;
  }
  return { steps: [...place.steps, name], value: (place.value as Members)[name] };
}
