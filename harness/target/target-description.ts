import { resolve } from 'node:path';
import type { Contract } from '../../spec/contract.ts';
import { optionRows } from '../../spec/options.ts';
import type { Exclusion, Json, OwnValue, Target } from '../model/target.ts';
import { examineBaseUrl } from './base-url.ts';
import { readCaptures } from './capture-problems.ts';
import { type Refuse, refuseForeignNames } from './contract-problems.ts';
import { type Environment, readEnvironment } from './environment-variables.ts';
import { authorizationObjection, headerObjection, keyObjection, keyPairObjection } from './header-rules.ts';
import { nearestName } from './nearest-name.ts';
import { entriesOf, entryOf, plainJson, textOf } from './plain-json.ts';
import { type FileKind, fileKind, schemaProblems } from './schema-problems.ts';
import { type KeyPath, type Objection, type TargetProblem, usageErrorOf } from './target-problem.ts';

/** How a key is sent where nothing else is said. */
export const DEFAULT_AUTHORIZATION = '{key}';

/** Builds a target from a description in the format of spec/target.schema.json, whose paths begin at `folder`; it counts only if no problem was added. */
export function readDescription(
  description: Json,
  contract: Contract,
  problems: TargetProblem[],
  sourceOf?: (path: KeyPath) => string | undefined,
  folder = '.',
): Target {
  const object = (path: KeyPath, objection: Objection | undefined, atName = false): void => {
    if (objection !== undefined) problems.push({ ...objection, path, atName });
  };
  const given = textOf(description, 'baseUrl');
  const baseUrl = given === undefined ? '' : examineBaseUrl(given);
  if (typeof baseUrl !== 'string') object(['baseUrl'], baseUrl);

  const authorization = textOf(description, 'authorization') ?? DEFAULT_AUTHORIZATION;
  object(['authorization'], authorizationObjection(authorization));

  const scoped = textOf(entryOf(description, 'keys'), 'scoped');
  const unscoped = textOf(entryOf(description, 'keys'), 'unscoped');
  if (scoped !== undefined) object(['keys', 'scoped'], keyObjection(scoped));
  if (unscoped !== undefined) object(['keys', 'unscoped'], keyObjection(unscoped));
  object(['keys', 'unscoped'], keyPairObjection(scoped, unscoped));

  const headers = textEntries(entryOf(description, 'headers'));
  const seen = new Set<string>();
  for (const [name, value] of headers) {
    object(['headers', name], headerObjection(name, value));
    const twice = { what: `the header ${name} stands twice`, remedy: 'remove one; case does not count' };
    if (seen.has(name.toLowerCase())) object(['headers', name], twice, true);
    seen.add(name.toLowerCase());
  }
  const refuse: Refuse = (path, what, remedy, more) => void problems.push({ path, what, remedy, ...more });
  refuseForeignNames(description, contract, refuse);
  const captures = readCaptures(description, contract, refuse);
  problems.push(...schemaProblems(targetFileKind, description, sourceOf));

  const parameters = entryOf(description, 'parameters');
  const queries = entryOf(description, 'query');
  const query =
    queries === undefined
      ? undefined
      : Object.fromEntries(
          entriesOf(queries).map(([id, values]) => [id, Object.fromEntries(textEntries(values))]),
        );
  const values = entryOf(description, 'values');
  const customChecks = textOf(description, 'checks');
  return {
    baseUrl: typeof baseUrl === 'string' ? baseUrl : '',
    authorization,
    keys: {
      ...(scoped === undefined ? {} : { scoped }),
      ...(unscoped === undefined ? {} : { unscoped }),
    },
    parameters: Object.fromEntries(textEntries(parameters)),
    operationParameters: Object.fromEntries(
      entriesOf(parameters)
        .filter(([, value]) => typeof value === 'object')
        .map(([id, value]) => [id, Object.fromEntries(textEntries(value))]),
    ),
    ...(query === undefined ? {} : { query }),
    bodies: Object.fromEntries(entriesOf(entryOf(description, 'bodies'))),
    captures,
    headers,
    // The schema has seen to their form; with a problem, nobody reads them.
    exclusions: (entryOf(description, 'exclude') ?? []) as unknown as readonly Exclusion[],
    ...(values === undefined ? {} : { values: values as unknown as readonly OwnValue[] }),
    ...(customChecks === undefined ? {} : { customChecks: resolve(folder, customChecks) }),
    options: Object.fromEntries(entriesOf(entryOf(description, 'options'))),
  };
}

function textEntries(value: Json | undefined): ReadonlyArray<readonly [string, string]> {
  return entriesOf(value).flatMap(([name, item]) =>
    typeof item === 'string' ? [[name, item] as const] : [],
  );
}

/** Reads a description in the format of the target file from memory; `${NAME}` is read only where `env` is given. */
export function targetFromObject(
  object: unknown,
  where: string,
  contract: Contract,
  env?: Environment,
): Target {
  const problems: TargetProblem[] = [];
  const plain = plainJson(object, problems);
  const description = env === undefined ? plain : readEnvironment(plain, env, isScalarOption, problems);
  const target = readDescription(description, contract, problems);
  if (problems.length > 0) throw usageErrorOf(problems, where);
  return target;
}

/** Target files, as spec/target.schema.json describes them. */
const targetFileKind: FileKind = fileKind('target.schema.json', 'the target description', {
  isSecret: ([group]) => group === 'keys' || group === 'headers' || group === 'authorization',
  misplaced,
});

const options = targetFileKind.schema.properties?.['options']?.properties ?? {};

/** Whether the schema wants a number or true/false at this path. */
export function isScalarOption(path: KeyPath): boolean {
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
