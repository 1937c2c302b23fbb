import type { Json } from '../model/target.ts';

const mark = 'conformance-number ';
const marked = new RegExp(`"${mark}(-?[\\d.]+(?:[eE][-+]?\\d+)?)"`, 'g');

/** Stands in a value for a number that no double holds as it is written, such as `1e400` or `-0`. */
export function numberAsWritten(digits: string): string {
  return mark + digits;
}

export function isNumberAsWritten(text: string): boolean {
  return text.startsWith(mark);
}

/** A UTF-16 unit as a JSON text may escape it. */
export function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The JSON text of a value, its numbers as they were to be written. */
export function jsonText(value: Json): string {
  return JSON.stringify(value).replace(marked, '$1');
}
