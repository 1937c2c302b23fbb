import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorObject } from 'ajv';
import { compileSchema } from '../../spec/json-schema.ts';
import { packageRoot } from '../../spec/package-root.ts';
import type { Json } from '../model/target.ts';
import { knownNames } from './nearest-name.ts';
import { type KeyPath, keyText, type TargetProblem } from './target-problem.ts';

/** What of a JSON Schema the messages are made from. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly examples?: readonly Json[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** One of our own schemas for files that people write. */
export interface FileKind {
  readonly schema: Schema;
  /** The schema's file in spec/. */
  readonly file: string;
  /** What the whole of such a file is called. */
  readonly name: string;
  /** Whether what stands here must not be repeated in a message. */
  readonly isSecret: (path: KeyPath) => boolean;
  /** What to do about a name that the schema does not know; undefined where there is nothing better than the nearest name. */
  readonly misplaced: (path: KeyPath, key: string, known: readonly string[]) => string | undefined;
}

/** A kind of file by its schema in spec/; by default nothing in it is secret. */
export function fileKind(
  file: string,
  name: string,
  { isSecret = () => false, misplaced = () => undefined }: Partial<FileKind> = {},
): FileKind {
  const schema = JSON.parse(readFileSync(join(packageRoot, 'spec', file), 'utf8')) as Schema;
  return { schema, file, name, isSecret, misplaced };
}

const compiled = new Map<FileKind, ReturnType<typeof compileSchema<Json>>>();

/** What the schema refuses, in plain words; `sourceOf` gives a scalar as it is written in the file. */
export function schemaProblems(
  kind: FileKind,
  value: Json,
  sourceOf: (path: KeyPath) => string | undefined = () => undefined,
): TargetProblem[] {
  const validate = compiled.get(kind) ?? compileSchema<Json>(kind.file);
  compiled.set(kind, validate);
  const result = validate(value);
  if (result.ok) return [];
  return result.errors.flatMap((error) => problemOf(kind, error, value, sourceOf) ?? []);
}

function problemOf(
  kind: FileKind,
  error: ErrorObject,
  description: Json,
  sourceOf: (path: KeyPath) => string | undefined,
): TargetProblem | undefined {
  const path = pathOf(error.instancePath);
  const data = reach(description, stepsOf(error.instancePath)) as Json;
  const about = reach(kind.schema, stepsOf(decodeURIComponent(error.schemaPath)).slice(0, -1)) as Schema;
  const name = path.length === 0 ? kind.name : keyText(path);
  const why = about.description === undefined ? {} : { why: about.description };
  switch (error.keyword) {
    case 'required': {
      const missing = String(error.params['missingProperty']);
      const lacking = about.properties?.[missing] ?? {};
      return {
        path: [...path, missing],
        what: `${keyText([...path, missing])} is missing`,
        ...(lacking.description === undefined ? {} : { why: lacking.description }),
        remedy: `add ${missing}: ${exampleText(lacking) ?? '…'}`,
      };
    }
    case 'additionalProperties':
      return unknownKey(kind, path, String(error.params['additionalProperty']), about);
    case 'type':
      return wrongType(kind, path, data, about, sourceOf);
    case 'propertyNames': {
      const bad = String(error.params['propertyName']);
      return {
        path: [...path, bad],
        atName: true,
        what: `${JSON.stringify(bad)} cannot be the name of a captured value`,
        why: 'it is written {name} in a body',
        remedy: 'use letters, digits and _, starting with a letter',
      };
    }
    case 'minLength':
    case 'minItems':
      return { path, what: `${name} is empty`, ...why, remedy: 'give it a value, or remove the line' };
    case 'minimum':
    case 'exclusiveMinimum': {
      const bound = `${error.keyword === 'minimum' ? 'at least' : 'more than'} ${String(error.params['limit'])}`;
      return {
        path,
        what: `${name} must be ${bound}, but is ${String(data)}`,
        ...why,
        remedy: remedyFor(about),
      };
    }
    case 'pattern':
    case 'format':
      // The inner error of propertyNames tells the same.
      if (error.propertyName !== undefined) return undefined;
      return { path, what: `${name} has a form that is not known`, ...why, remedy: remedyFor(about) };
    default:
      return { path, what: `${name} ${error.message ?? 'is not valid'}`, ...why, remedy: remedyFor(about) };
  }
}

function unknownKey(kind: FileKind, path: KeyPath, key: string, about: Schema): TargetProblem {
  const known = Object.keys(about.properties ?? {}).filter((name) => name !== '$schema');
  const remedy = kind.misplaced(path, key, known) ?? knownNames(key, known);
  const full = [...path, key];
  return { path: full, atName: true, what: `unknown key ${keyText(full)}`, remedy };
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a map (name: value)',
  array: 'a list',
};

function wrongType(
  kind: FileKind,
  path: KeyPath,
  data: unknown,
  about: Schema,
  sourceOf: (path: KeyPath) => string | undefined,
): TargetProblem {
  const name = path.length === 0 ? kind.name : keyText(path);
  const why = about.description === undefined ? {} : { why: about.description };
  if (data === null)
    return { path, what: `${name} is empty`, ...why, remedy: 'give it a value, or remove the line' };
  const types = [about.type ?? []].flat();
  const wanted = types.map((type) => WORDS[type] ?? type).join(' or ');
  const got = Array.isArray(data) ? 'array' : typeof data;
  let remedy = remedyFor(about);
  if (types.includes('string') && got !== 'object' && got !== 'array') {
    remedy = kind.isSecret(path) ? 'quote it' : `quote it: '${sourceOf(path) ?? String(data)}'`;
  } else if (got === 'string' && types.includes('boolean')) remedy = 'write true or false, without quotes';
  else if (got === 'string' && /^[\d.]+$/.test(String(data))) remedy = 'write it without quotes';
  return { path, what: `${name} must be ${wanted}, but is ${gotText(got, data)}`, ...why, remedy };
}

function gotText(got: string, data: unknown): string {
  if (got === 'boolean') return String(data);
  if (got === 'number') return Number.isInteger(data) ? 'a number' : 'a number with a fraction';
  return WORDS[got] ?? got;
}

function remedyFor(about: Schema): string {
  const example = exampleText(about);
  return example === undefined ? 'correct it, or remove the line' : `write it like ${example}`;
}

function exampleText(about: Schema): string | undefined {
  const [example] = about.examples ?? [];
  if (example === undefined) return undefined;
  return typeof example === 'string' && !/[{}*]/.test(example)
    ? example
    : JSON.stringify(example).replaceAll('"', "'");
}

function pathOf(instancePath: string): KeyPath {
  return stepsOf(instancePath).map((step) => (/^(0|[1-9]\d*)$/.test(step) ? Number(step) : step));
}

function stepsOf(pointer: string): string[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function reach(document: unknown, steps: readonly string[]): unknown {
  return steps.reduce((value, step) => (value as Readonly<Record<string, unknown>>)[step], document);
}
