import type { ErrorObject } from 'ajv';
import { compileSchema, readSchema } from '../../spec/json-schema.ts';
import { stepsOf } from '../json-pointers.ts';
import type { Json } from '../model/target.ts';
import { knownNames } from './nearest-name.ts';
import { type KeyPath, keyText, type TargetProblem } from './target-problem.ts';

export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly examples?: readonly Json[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** One of our own schemas for files that people write. */
export interface FileKind {
  /** The schema's file in spec/. */
  readonly schema: string;
  /** The name of the whole file in messages. */
  readonly name: string;
  /** Whether messages must not repeat the value at a path; nothing is secret if absent. */
  readonly isSecret?: (path: KeyPath) => boolean;
  /** The remedy for an unknown name; undefined if the nearest name is the best proposal. */
  readonly misplaced?: (path: KeyPath, key: string, known: readonly string[]) => string | undefined;
}

/** Gives a scalar as it is written in the file. */
type SourceOf = (path: KeyPath) => string | undefined;

/** The problems that the schema finds, in plain words. */
export function schemaProblems(kind: FileKind, value: Json, sourceOf?: SourceOf): TargetProblem[] {
  const result = compileSchema<Json>(kind.schema)(value);
  if (result.ok) return [];
  return result.errors.flatMap((error) => problemOf(kind, error, value, sourceOf) ?? []);
}

const fillIn = 'give it a value, or remove the line';

function problemOf(
  kind: FileKind,
  { keyword, params, instancePath, schemaPath, propertyName, message }: ErrorObject,
  description: Json,
  sourceOf: SourceOf = () => undefined,
): TargetProblem | undefined {
  const path = stepsOf(instancePath).map((step) => (/^(0|[1-9]\d*)$/.test(step) ? Number(step) : step));
  const data = reach(description, stepsOf(instancePath));
  const about = reach(
    readSchema(kind.schema),
    stepsOf(decodeURIComponent(schemaPath)).slice(0, -1),
  ) as Schema;
  const name = path.length === 0 ? kind.name : keyText(path);
  const tell = (what: string, remedy = remedyFor(about)): TargetProblem => ({
    path,
    what: `${name} ${what}`,
    ...whyOf(about),
    remedy,
  });
  switch (keyword) {
    case 'required': {
      const missing = String(params['missingProperty']);
      const lacking = about.properties?.[missing] ?? {};
      const what = `${keyText([...path, missing])} is missing`;
      const remedy = `add ${missing}: ${exampleText(lacking) ?? '…'}`;
      return { path: [...path, missing], what, ...whyOf(lacking), remedy };
    }
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      const known = Object.keys(about.properties ?? {}).filter((property) => property !== '$schema');
      const remedy = kind.misplaced?.(path, key, known) ?? knownNames(key, known);
      const full = [...path, key];
      return { path: full, atName: true, what: `unknown key ${keyText(full)}`, remedy };
    }
    case 'type': {
      if (data === null) return tell('is empty', fillIn);
      const types = [about.type ?? []].flat();
      const wanted = types.map((type) => words[type] ?? type).join(' or ');
      const written = kind.isSecret?.(path) ? undefined : (sourceOf(path) ?? data);
      const remedy = quoting(types, data, written) ?? remedyFor(about);
      return tell(`must be ${wanted}, but is ${nounFor(data)}`, remedy);
    }
    case 'propertyNames': {
      const bad = String(params['propertyName']);
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
      return tell('is empty', fillIn);
    case 'minimum':
    case 'exclusiveMinimum': {
      const bound = keyword === 'minimum' ? 'at least' : 'more than';
      return tell(`must be ${bound} ${String(params['limit'])}, but is ${String(data)}`);
    }
    case 'pattern':
    case 'format':
      // The inner error of propertyNames says the same.
      return propertyName === undefined ? tell('has an unknown form') : undefined;
    default:
      return tell(message ?? 'is not valid');
  }
}

function whyOf({ description }: Schema): { readonly why?: string } {
  return description === undefined ? {} : { why: description };
}

const words: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a map (name: value)',
  array: 'a list',
};

function nounFor(data: unknown): string {
  if (typeof data === 'boolean') return String(data);
  if (typeof data === 'number') return Number.isInteger(data) ? 'a number' : 'a number with a fraction';
  return words[Array.isArray(data) ? 'array' : typeof data] ?? typeof data;
}

/** The remedy for a value whose type quotes would correct; `written` is undefined for a secret. */
function quoting(types: readonly string[], data: unknown, written: unknown): string | undefined {
  if (types.includes('string') && typeof data !== 'object')
    return written === undefined ? 'quote it' : `quote it: '${String(written)}'`;
  if (typeof data !== 'string') return undefined;
  if (types.includes('boolean')) return 'write true or false, without quotes';
  return /^[\d.]+$/.test(data) ? 'write it without quotes' : undefined;
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

function reach(document: unknown, steps: readonly string[]): unknown {
  return steps.reduce((value, step) => (value as Readonly<Record<string, unknown>>)[step], document);
}
