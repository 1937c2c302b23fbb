import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  visit,
  type YAMLError,
} from 'yaml';
import type { Contract } from '../../spec/contract.ts';
import type { Target } from '../model/target.ts';
import { parseYaml, RefusedYaml } from '../parse-yaml.ts';
import { readTextFile } from '../read-text-file.ts';
import { UsageError } from '../usage-error.ts';
import { howToFill, isUnfilled } from './description-rules.ts';
import { type Environment, targetFromObject } from './target-description.ts';
import {
  type KeyPath,
  type Locate,
  type PlacedProblem,
  type Position,
  placedError,
} from './target-problem.ts';

const haveOneWritten = 'create one: npx commerce-conformance init';

/** Reads a target file, YAML or JSON; all its problems are thrown as one UsageError, sorted by line. */
export async function readTargetFile(path: string, env: Environment, contract: Contract): Promise<Target> {
  return readTargetText(await readTextFile(path, 'target file', haveOneWritten), path, env, contract);
}

export function readTargetText(text: string, path: string, env: Environment, contract: Contract): Target {
  const document = parseTargetDocument(text, path, `set at least baseUrl, or ${haveOneWritten}`);
  const target = targetFromObject(document.value, path, contract, env, document);
  const names = namesFromEnvironment(document.value);
  return names.length === 0 ? target : { ...target, headersFromEnvironment: names };
}

/** The headers with values from the environment, which are mostly secret. */
function namesFromEnvironment(description: unknown): readonly string[] {
  const { headers } = description as { readonly headers?: object };
  return Object.entries(headers ?? {})
    .filter(([, value]) => typeof value === 'string' && /(?<!\$)\$\{/.test(value))
    .map(([name]) => name.toLowerCase());
}

/** A parsed target file, with the positions of its values. */
export interface TargetDocument {
  readonly value: unknown;
  readonly locate: Locate;
  /** The text of a scalar as written, such as `007` for the number 7. */
  readonly sourceOf: (path: KeyPath) => string | undefined;
}

/** Parses YAML or JSON; messages about syntax errors do not repeat the text, which may hold keys. */
export function parseTargetDocument(text: string, file: string, ifEmpty: string): TargetDocument {
  const lines = new LineCounter();
  const [document, second] = parsed(text, lines, file);
  if (document === undefined || document.contents === null) {
    throw new UsageError({ what: 'the file is empty', where: file, remedy: ifEmpty });
  }
  const places = [...document.errors, ...document.warnings]
    .slice(0, mostPlaces)
    .map((error) => syntaxError(error, text, lines, file));
  if (second !== undefined) {
    places.push({
      position: positionOf(lines, second.range[0]),
      path: [],
      what: 'the file holds several YAML documents',
      remedy: 'remove the line --- and what follows, or make it a file of its own',
    });
  }
  if (document.errors.length === 0) places.push(...unquotedBraces(document, lines));
  if (places.length > 0) throw syntaxErrors(places, file);

  return {
    value: toValue(document, file),
    locate: (path, atName) => locate(document, lines, path, atName),
    sourceOf: (path) => {
      const node = document.getIn(path, true);
      return isScalar(node) ? node.source : undefined;
    },
  };
}

/** Maximum characters of a line that a pattern reads. */
const longestLine = 500;

const mostPlaces = 50;

function parsed(text: string, lines: LineCounter, file: string): readonly Document.Parsed[] {
  try {
    return parseYaml(text, { lines });
  } catch (error) {
    if (!(error instanceof RefusedYaml)) throw error;
    throw new UsageError({ what: 'the file is refused', where: file, why: error.message });
  }
}

function syntaxErrors(problems: readonly PlacedProblem[], file: string): UsageError {
  // Later errors on a line mostly follow from its first one.
  const first = new Map(problems.toReversed().map((problem) => [problem.position?.line, problem]));
  return placedError([...first.values()], file);
}

function syntaxError(error: YAMLError, text: string, lines: LineCounter, file: string): PlacedProblem {
  const position = positionOf(lines, error.pos[0]);
  const place = (what: string, remedy: string): PlacedProblem => ({ position, path: [], what, remedy });
  const start = lines.lineStarts[position.line - 1] ?? 0;
  // The pattern below takes time that grows with the square of the length.
  const line = text.slice(start, start + longestLine).split('\n', 1)[0] ?? '';
  if (error.code === 'DUPLICATE_KEY') {
    const [, name = '', block] =
      /^["']?([\w$-]*)(["']?:[ \t]*(?:#.*)?$)?/m.exec(text.slice(error.pos[0])) ?? [];
    const first = positionOf(lines, error.pos[1]).line;
    const join = `move the lines below line ${position.line} to those below line ${first}, and remove line ${position.line}`;
    return place(
      `duplicate key ${name}; the first is on line ${first}`,
      block === undefined ? 'remove one of the two' : join,
    );
  }
  if (error.code === 'MISSING_CHAR' && error.message.startsWith('Implicit'))
    return place('a colon is missing', 'write name: value');
  const known = syntaxErrorTexts[error.code];
  if (known !== undefined) return place(...known);
  if (/[[{,:].*\{/.test(line))
    return place('a value with braces is not quoted', `quote it, such as '\${NAME}' or '{name}'`);
  return place(
    `the file is not valid ${file.endsWith('.json') ? 'JSON' : 'YAML'} (${error.code.toLowerCase().replaceAll('_', ' ')})`,
    'check indentation, colons, brackets and quotation marks here and on the line before',
  );
}

/** What is wrong and what to do, by the code of a syntax error. */
const syntaxErrorTexts: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  TAB_AS_INDENT: ['a tab is used to indent', 'indent with spaces'],
  TAG_RESOLVE_FAILED: [
    'YAML tags (!name) are not supported',
    'remove the tag, or quote a text that starts with !',
  ],
  BAD_SCALAR_START: ['an unquoted text starts with a character that YAML reserves', 'quote the text'],
  MISSING_CHAR: [
    'a quotation mark, bracket or comma is missing',
    'add it; it may be missing on an earlier line',
  ],
};

/** YAML reads `state: {name}` as a map with one entry without a value, where a placeholder was meant. */
function unquotedBraces(document: Document.Parsed, lines: LineCounter): PlacedProblem[] {
  const places: PlacedProblem[] = [];
  visit(document, {
    Map(_, map) {
      const [pair] = map.items;
      if (map.flow !== true || map.items.length !== 1 || pair?.value !== null || !isScalar(pair.key)) return;
      const name = String(pair.key.value);
      const position = positionOf(lines, map.range?.[0] ?? 0);
      const [what, remedy] = isUnfilled(name)
        ? [`{ ${name} } is a placeholder for your own value`, howToFill]
        : [`{${name}} is not quoted, so YAML reads it as a map`, `quote it: '{${name}}'`];
      places.push({ position, path: [], what, remedy });
    },
  });
  return places;
}

function toValue(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new UsageError({
      what: 'a YAML alias (*name) has no anchor (&name) before it, or is used too often',
      where: file,
      remedy: 'quote a text that starts with *, or write the value out',
    });
  }
}

function locate(
  document: Document.Parsed,
  lines: LineCounter,
  path: KeyPath,
  atName: boolean,
): Position | undefined {
  let node: Node | null | undefined = document.contents;
  let start = rangeStart(node);
  for (const [index, part] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document);
    if (!isCollection(node)) break;
    const found: { readonly key?: unknown; readonly value: unknown } | undefined = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
      : { value: node.get(Number(part), true) };
    if (found?.value === undefined) break;
    const { key, value } = found as { readonly key?: Node; readonly value: Node | null };
    const isName = atName && index === path.length - 1;
    start = rangeStart(isName ? (key ?? value) : value) ?? rangeStart(key);
    node = value;
  }
  return start === undefined ? undefined : positionOf(lines, start);
}

function rangeStart(node: Node | null | undefined): number | undefined {
  // An absent value has an empty range.
  if (isScalar(node) && node.source === '' && node.type === 'PLAIN') return undefined;
  return node?.range?.[0];
}

function positionOf(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}
