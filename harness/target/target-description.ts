import { resolve } from 'node:path';
import type { Contract } from '../../spec/contract.ts';
import type { Exclusion, Json, OwnValue, Target } from '../model/target.ts';
import { examineBaseUrl } from './base-url.ts';
import { readCaptures } from './capture-problems.ts';
import { contractProblems } from './contract-problems.ts';
import { headerObjection } from './header-rules.ts';
import { authorizationObjection, keyObjection, keyPairObjection } from './key-rules.ts';
import { entriesOf, entryOf, textOf } from './plain-json.ts';
import { schemaProblems } from './schema-problems.ts';
import type { KeyPath, Objection, TargetProblem } from './target-problem.ts';
import { targetFileKind } from './target-schema.ts';
import { unfilledProblems } from './unfilled-problems.ts';

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
  problems.push(...contractProblems(description, contract), ...unfilledProblems(description));
  const captures = readCaptures(description, contract, problems);
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
