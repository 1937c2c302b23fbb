import { escapeStep } from '../../harness/json-pointers.ts';
import { tried } from '../../harness/tried.ts';

/** A line of an indented JSON text, and the JSON Pointer of the value that begins on it. */
export interface JsonLine {
  readonly text: string;
  readonly pointer: string;
}

interface Level {
  readonly pointer: string;
  /** Undefined in an object. */
  index: number | undefined;
}

// Deeper levels are not indented further: a hostile document would be nothing but white space.
const deepestIndentation = 24;
const token = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/gs;

/**
 * Breaks and indents a JSON text without parsing it, so that numbers, escapes and repeated names stay as they were
 * sent; a text that is cut off is indented up to the cut. Stops after `most` lines.
 */
export function indentJson(text: string, most: number): JsonLine[] {
  const lines: JsonLine[] = [];
  const levels: Level[] = [];
  let current = '';
  let pointer = '';
  let last = '';
  const flush = (): void => {
    if (current !== '') lines.push({ text: current, pointer });
    current = '';
  };
  const begin = (): void => {
    flush();
    current = '  '.repeat(Math.min(levels.length, deepestIndentation));
  };
  const enter = (): void => {
    const level = levels.at(-1);
    if (level?.index === undefined) return;
    pointer = `${level.pointer}/${level.index}`;
  };
  for (const [word] of text.matchAll(token)) {
    if (lines.length >= most) return lines;
    const level = levels.at(-1);
    if (word === '}' || word === ']') {
      levels.pop();
      if (last !== '{' && last !== '[') {
        begin();
        pointer = level?.pointer ?? '';
      }
      current += word;
    } else if (word === ',') {
      current += word;
      if (level?.index !== undefined) level.index += 1;
    } else if (word === ':') {
      current += ': ';
    } else {
      if (last === ',' || last === '{' || last === '[') {
        begin();
        enter();
        if (level !== undefined && level.index === undefined) pointer = `${level.pointer}/${nameOf(word)}`;
      }
      current += word;
      if (word === '{' || word === '[') levels.push({ pointer, index: word === '[' ? 0 : undefined });
    }
    last = word;
  }
  flush();
  return lines;
}

function nameOf(word: string): string {
  // A name that is cut off stays as it is.
  return escapeStep(String(tried(JSON.parse, word) ?? word));
}

/** The pointers that a message names, `*` standing for any index of a list. */
export function pointersIn(message: string): RegExp[] {
  const named = message.match(/(?<![\w:/.*<])(?:\/[\w~*$-]+)+/g) ?? [];
  return named.map((pointer) => {
    const steps = pointer
      .slice(1)
      .split('/')
      .map((step) => (step === '*' ? '\\d+' : step.replaceAll(/[$*]/g, '\\$&')));
    return new RegExp(`^/${steps.join('/')}$`);
  });
}
