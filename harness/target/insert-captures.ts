import { withTexts } from '../fuzzing/json-places.ts';
import type { Capture, Json } from '../model/target.ts';
import { pointerOf } from '../openapi/json-pointers.ts';
import { plainName } from './likely-identifiers.ts';

/** A body for a login's return, with values that the initiation issued in place of made-up ones. */
export interface IssuedBody {
  /** With the values themselves, to be sent once. */
  readonly now: Json;
  /** With placeholders, to be sent again and again. */
  readonly body: Json;
  readonly captures: Readonly<Record<string, Capture>>;
}

/**
 * Puts values captured from the response of `from` in place of texts of the same name in a body; undefined if there are
 * none.
 */
export function putInCaptures(
  body: Json,
  from: string,
  answer: unknown,
  isTaken: (name: string) => boolean,
): IssuedBody | undefined {
  const named = textsIn(answer, false).map((text) => [plainName(text.name), text] as const);
  const issued = new Map(named.toReversed());
  const captures: Record<string, Capture> = {};
  const put = (asPlaceholder: boolean): Json =>
    withTexts(body, (text, name) => {
      const found = issued.get(plainName(name));
      const placeholder = placeholderOf(name);
      if (found === undefined || placeholder === undefined || isTaken(placeholder)) return text;
      captures[placeholder] = { from, pointer: found.pointer };
      return asPlaceholder ? `{${placeholder}}` : found.value;
    });
  const issuedBody = { now: put(false), body: put(true), captures };
  return Object.keys(captures).length === 0 ? undefined : issuedBody;
}

const deepest = 8;

/** The texts of a response with their names and JSON Pointers, the outermost first. */
export function textsIn(
  answer: unknown,
  inLists = true,
): ReadonlyArray<{ readonly name: string; readonly pointer: string; readonly value: string }> {
  const found: Array<{ name: string; pointer: string; value: string }> = [];
  let level: ReadonlyArray<readonly [steps: readonly string[], value: unknown]> = [[[], answer]];
  for (let depth = 0; depth <= deepest; depth += 1) {
    for (const [steps, value] of level) {
      if (typeof value === 'string')
        found.push({ name: steps.at(-1) ?? '', pointer: pointerOf(steps), value });
    }
    level = level.flatMap(([steps, value]) =>
      typeof value === 'object' && value !== null && (inLists || !Array.isArray(value))
        ? Object.entries(value).map(([name, member]) => [[...steps, name], member] as const)
        : [],
    );
  }
  return found;
}

function placeholderOf(name: string): string | undefined {
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  return /^\w{1,40}$/.test(capital) ? `login${capital}` : undefined;
}
