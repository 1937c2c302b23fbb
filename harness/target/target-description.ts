import { dirname, resolve } from 'node:path';
import type { Contract } from '../../spec/contract.ts';
import { readSchema } from '../../spec/json-schema.ts';
import { optionRows } from '../../spec/options.ts';
import { defined } from '../defined.ts';
import type { Exclusion, Json, OwnValue, Target } from '../model/target.ts';
import { UsageError } from '../usage-error.ts';
import { examineBaseUrl, parseBaseUrl } from './base-url.ts';
import { capturesOf, ruleProblems } from './description-rules.ts';
import { headerProblems } from './header-rules.ts';
import { nearestName } from './nearest-name.ts';
import { entriesOf, entryOf, plainJson, textOf } from './plain-json.ts';
import { type FileKind, type Schema, schemaProblems } from './schema-problems.ts';
import type { TargetDocument } from './target-document.ts';
import { type KeyPath, keyText, type TargetProblem, usageErrorOf } from './target-problem.ts';

/** The default format of the Authorization header. */
const usualAuthorization = '{key}';

/**
 * Reads a description in the format of spec/target.schema.json, found at `where`, which is the path of its `document` if it has
 * one; `${NAME}` is read only where `env` is given. All its problems are thrown as one UsageError.
 */
export function targetFromObject(
  object: unknown,
  where: string,
  contract: Contract,
  env?: Environment,
  document?: TargetDocument,
): Target {
  const problems: TargetProblem[] = [];
  const readText = env && environmentReader(env, isScalarOption, problems);
  const description = plainJson(object, problems, readText);
  const part = (name: string): Json | undefined => entryOf(description, name);
  const given = textOf(description, 'baseUrl');
  const baseUrl = given === undefined ? '' : examineBaseUrl(given);
  if (typeof baseUrl !== 'string') problems.push({ ...baseUrl, path: ['baseUrl'] });
  const parts = {
    authorization: textOf(description, 'authorization') ?? usualAuthorization,
    keys: defined({ scoped: textOf(part('keys'), 'scoped'), unscoped: textOf(part('keys'), 'unscoped') }),
    headers: textEntries(part('headers')),
  };
  problems.push(...headerProblems(parts), ...repeatedHeaders(parts.headers));
  problems.push(...ruleProblems(description, contract));
  problems.push(...schemaProblems(targetFileKind, description, document?.sourceOf));
  if (problems.length > 0) throw usageErrorOf(problems, where, document?.locate);

  const textsById = (section: string): ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> =>
    entriesOf(part(section)).flatMap(([id, value]) =>
      typeof value === 'object' ? [[id, Object.fromEntries(textEntries(value))]] : [],
    );
  const customChecks = textOf(description, 'checks');
  return {
    baseUrl: baseUrl as string,
    ...parts,
    parameters: Object.fromEntries(textEntries(part('parameters'))),
    operationParameters: Object.fromEntries(textsById('parameters')),
    ...(part('query') === undefined ? {} : { query: Object.fromEntries(textsById('query')) }),
    bodies: Object.fromEntries(entriesOf(part('bodies'))),
    captures: capturesOf(description, contract),
    // The schema has validated these.
    exclusions: (part('exclude') ?? []) as unknown as readonly Exclusion[],
    ...defined({ values: part('values') as unknown as readonly OwnValue[] | undefined }),
    ...(customChecks && { customChecks: resolve(document ? dirname(where) : '.', customChecks) }),
    options: Object.fromEntries(entriesOf(part('options'))),
  };
}

function repeatedHeaders(headers: Target['headers']): readonly TargetProblem[] {
  const names = headers.map(([name]) => name.toLowerCase());
  return headers.flatMap(([name], at) => {
    if (names.indexOf(name.toLowerCase()) === at) return [];
    const remedy = 'remove one; the names of headers ignore case';
    return { path: ['headers', name], atName: true, what: `duplicate header ${name}`, remedy };
  });
}

function textEntries(value: Json | undefined): ReadonlyArray<readonly [string, string]> {
  return entriesOf(value).flatMap(([name, item]) =>
    typeof item === 'string' ? [[name, item] as const] : [],
  );
}

interface TargetParts {
  readonly baseUrl: string;
  readonly scopedKey?: string | undefined;
  readonly unscopedKey?: string | undefined;
  readonly headers?: Target['headers'] | undefined;
  /** The sources of the parts in messages; by default the flags. */
  readonly origins?: Partial<typeof flags>;
}

const flags = {
  baseUrl: '--base-url',
  scopedKey: '--key',
  unscopedKey: '--unscoped-key',
  authorization: 'authorization',
  headers: '--header',
};

/** Builds a target without a file; what is refused is a UsageError that names the flag. */
export function targetFromParts(parts: TargetParts): Target {
  const empty: Target = {
    baseUrl: '',
    authorization: usualAuthorization,
    keys: {},
    parameters: {},
    operationParameters: {},
    bodies: {},
    captures: {},
    headers: [],
    exclusions: [],
    options: {},
  };
  return overrideTarget(empty, parts);
}

/** Overrides parts of a target with those of the command line; headers of the same name are replaced. */
export function overrideTarget(target: Target, parts: Partial<TargetParts>): Target {
  const { baseUrl, scopedKey, unscopedKey, headers = [] } = parts;
  const origins = { ...flags, ...parts.origins };
  const replaced = new Set(headers.map(([name]) => name.toLowerCase()));
  const overridden: Target = {
    ...target,
    ...(baseUrl === undefined ? {} : { baseUrl: parseBaseUrl(baseUrl, origins.baseUrl) }),
    keys: { ...target.keys, ...defined({ scoped: scopedKey, unscoped: unscopedKey }) },
    headers: [...target.headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...headers],
  };
  const [problem] = headerProblems(overridden);
  if (problem === undefined) return overridden;
  const { path, ...objection } = problem;
  const key = path[1] === 'unscoped' && unscopedKey !== undefined ? 'unscopedKey' : 'scopedKey';
  throw new UsageError({
    ...objection,
    where: origins[path[0] === 'keys' ? key : (path[0] as keyof typeof flags)],
  });
}

/** Target files, as spec/target.schema.json describes them. */
const targetFileKind: FileKind = {
  schema: 'target.schema.json',
  name: 'the target description',
  isSecret: ([group]) => group === 'keys' || group === 'headers' || group === 'authorization',
  misplaced,
};

const { properties } = readSchema(targetFileKind.schema) as Schema;
const options = properties?.['options']?.properties ?? {};

/** Whether the schema wants a number or true/false at this path. */
function isScalarOption(path: KeyPath): boolean {
  const [group, name] = path;
  if (path.length !== 2 || group !== 'options' || typeof name !== 'string') return false;
  const type = Object.hasOwn(options, name) ? options[name]?.type : undefined;
  return type === 'integer' || type === 'number' || type === 'boolean';
}

function misplaced(path: KeyPath, key: string, known: readonly string[]): string | undefined {
  const inOptions = path.length === 1 && path[0] === 'options';
  const moved = inOptions ? optionRows.find(([name]) => name === key)?.[1].inFile : undefined;
  if (moved !== undefined) return `write it as ${moved}${moved.includes('.') ? '' : ', at the top level'}`;
  const option = path.length === 0 ? nearestName(key, Object.keys(options)) : undefined;
  if (option === undefined || (option !== key && nearestName(key, known) !== undefined)) return undefined;
  return `write it below options, as ${option}`;
}

/** Environment variables by name, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads texts with environment variables put in: `${NAME}`, and `$${` for a literal `${`. Where `readsAsScalar` holds, a
 * text that is nothing but `${NAME}` is read as a number or true/false.
 */
function environmentReader(
  env: Environment,
  readsAsScalar: (path: KeyPath) => boolean,
  problems: TargetProblem[],
): (text: string, path: KeyPath) => Json {
  return (text, path) => {
    const read = text.replaceAll(
      /\$\$\{|\$\{([^}]*)(\}?)/g,
      (match, name: string | undefined, end: string) => {
        if (name === undefined) return '${';
        if (end === '' || !/^[A-Za-z_]\w*$/.test(name)) {
          problems.push({
            path,
            what: `${keyText(path)} contains \${ without the name of an environment variable`,
            why: `\${NAME} reads the environment; defaults and expressions are not known`,
            remedy: `write \${NAME} with letters, digits and _, or $\${ for a literal \${`,
          });
          return match;
        }
        const found = Object.hasOwn(env, name) ? env[name] : undefined;
        if (found !== undefined && found !== '') return found;
        problems.push({
          path,
          what: `the environment variable ${name} is ${found === undefined ? 'not set' : 'empty'}`,
          why: `${keyText(path)} reads it`,
          remedy: `set it (export ${name}=…), or remove the line`,
        });
        return match;
      },
    );
    const whole = /^\$\{\w+\}$/.test(text) && /^(true|false|-?\d+(\.\d+)?)$/.test(read);
    return whole && readsAsScalar(path) ? (JSON.parse(read.replace(/^(-?)0+(?=\d)/, '$1')) as Json) : read;
  };
}
