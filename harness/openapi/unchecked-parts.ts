import { linearPattern } from '../linear-pattern.ts';
import type { Members } from '../model/supplied-document.ts';
import { mostExact } from './exactly-one.ts';
import { follow, type Place, reach } from './follow-references.ts';
import { pointerOf } from './json-pointers.ts';
import { isMembers } from './supplied-document.ts';
import { readingOf } from './walk-document.ts';

const longestPattern = 80;

/** The parts of a schema, and of those it refers to, that constrain a body but cannot be checked. */
export function uncheckedParts(content: Members, schema: Place): readonly string[] {
  const found: string[] = [];
  const visited = new Set<unknown>();
  const pending: Array<{ readonly place: Place; readonly isNames: boolean }> = [
    { place: schema, isNames: false },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { place, isNames } = next;
    const { value, steps } = place;
    if (typeof value !== 'object' || value === null || visited.has(value)) continue;
    visited.add(value);
    if (!isNames && isMembers(value)) {
      found.push(...patternsOf(value).flatMap((pattern) => uncheckedPattern(pattern, steps)));
      const { oneOf } = value;
      if (Array.isArray(oneOf) && oneOf.length > mostExact)
        found.push(`that only one of the ${oneOf.length} alternatives at ${pointerOf(steps)} matches`);
      const target = typeof value['$ref'] === 'string' ? follow(content, place) : undefined;
      if (target !== undefined) pending.push({ place: target, isNames: false });
    }
    for (const [name, member] of Object.entries(value)) {
      const reading = Array.isArray(value)
        ? 'keywords'
        : readingOf(name, member, isNames ? 'names' : 'keywords');
      if (reading === 'value') continue;
      pending.push({
        place: { steps: [...steps, name], value: member },
        isNames: reading === 'names',
      });
    }
  }
  return found.sort();
}

/** Validations of one value that a schema may lead to. */
const mostValidations = 20_000;

/** Whether a schema leads through so many others that validating one value with it would not end. */
export function explodes(content: Members, schema: Place): boolean {
  const counts = new Map<unknown, number>();
  const count = (place: Place | undefined): number => {
    if (place === undefined || !isMembers(place.value)) return 0;
    const known = counts.get(place.value);
    if (known !== undefined) return known;
    // A schema within itself is validated again only for a value within the value.
    counts.set(place.value, 1);
    let sum = 1;
    if (typeof place.value['$ref'] === 'string') sum += count(follow(content, place));
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const listed = place.value[keyword];
      if (!Array.isArray(listed)) continue;
      for (const at of listed.keys()) sum += count(reach(content, place, keyword, String(at)));
    }
    for (const keyword of ['not', 'if', 'then', 'else']) {
      if (isMembers(place.value[keyword])) sum += count(reach(content, place, keyword));
    }
    counts.set(place.value, sum);
    return sum;
  };
  return count(schema) > mostValidations;
}

function patternsOf({ pattern, patternProperties }: Members): readonly string[] {
  return [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(isMembers(patternProperties) ? Object.keys(patternProperties) : []),
  ];
}

function uncheckedPattern(pattern: string, steps: readonly string[]): readonly string[] {
  if (linearPattern(pattern) !== undefined) return [];
  const shown = pattern.length > longestPattern ? `${pattern.slice(0, longestPattern)}…` : pattern;
  return [`the pattern ${shown} at ${pointerOf(steps)}`];
}
