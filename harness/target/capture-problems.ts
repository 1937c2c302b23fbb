import type { Contract } from '../../spec/contract.ts';
import type { Capture, Json } from '../model/target.ts';
import { placeholdersIn, UNIQUE } from '../requests/placeholders.ts';
import { unknownOperation } from './contract-problems.ts';
import { knownNames } from './nearest-name.ts';
import { entriesOf, entryOf, textOf } from './plain-json.ts';
import { pointerObjection } from './pointer-objection.ts';
import { type KeyPath, keyText, type TargetProblem } from './target-problem.ts';

/** The captures of a description in their long form, and what is wrong with them and with their uses in bodies. */
export function readCaptures(
  description: Json,
  contract: Contract,
  problems: TargetProblem[],
): Readonly<Record<string, Capture>> {
  const captures = new Map<string, Capture>();
  const given = entriesOf(entryOf(description, 'captures'));
  for (const [name, value] of given) {
    const capture = readCapture(name, value, contract, problems);
    if (capture !== undefined) captures.set(name, capture);
  }
  const names = [...given.map(([name]) => name), UNIQUE];
  for (const [operation, body] of entriesOf(entryOf(description, 'bodies'))) {
    for (const { name, path } of placeholdersIn(body, ['bodies', operation])) {
      if (!names.includes(name)) problems.push(undefinedName(name, path, names));
    }
  }
  problems.push(...circles(description, captures, contract));
  return Object.fromEntries(captures);
}

function readCapture(
  name: string,
  value: Json,
  contract: Contract,
  problems: TargetProblem[],
): Capture | undefined {
  const path = ['captures', name];
  if (name === UNIQUE) {
    problems.push({
      path,
      atName: true,
      what: `${UNIQUE} cannot be captured`,
      why: `{${UNIQUE}} is built in: a value fresh for each use`,
      remedy: 'choose another name',
    });
    return undefined;
  }
  const short = typeof value === 'string';
  const pointer = short ? value : textOf(value, 'pointer');
  const from = short ? creatorOf(name, contract) : textOf(value, 'from');
  if (pointer !== undefined) {
    const objection = pointerObjection(pointer);
    const what = `${JSON.stringify(pointer)} is not a JSON Pointer to a value`;
    if (objection !== undefined)
      problems.push({ path: short ? path : [...path, 'pointer'], what, ...objection });
  }
  if (short && from === undefined) {
    problems.push({
      path,
      what: `it is not known which operation answers with ${name}`,
      why: 'the short form is for a path parameter whose values one POST operation issues',
      remedy: `write ${name}: { from: <operationId>, pointer: ${pointer?.startsWith('/') ? pointer : '/…'} }`,
    });
  }
  if (from === undefined || pointer === undefined) return undefined;
  if (!contract.operations.some(({ id }) => id === from)) {
    problems.push(unknownOperation(from, [...path, 'from'], false, contract.operations));
  }
  return { from, pointer };
}

/** POST to the collection in which the parameter names a member. */
function creatorOf(parameter: string, contract: Contract): string | undefined {
  const issuer = contract.issuerOf(parameter);
  if (issuer !== undefined) return issuer.id;
  const collections = contract.operations
    .filter(({ path }) => path.includes(`/{${parameter}}`))
    .map(({ path }) => path.slice(0, path.indexOf(`/{${parameter}}`)));
  const creators = contract.operations.filter(
    ({ method, path }) => method === 'POST' && collections.includes(path),
  );
  return creators.length === 1 ? creators[0]?.id : undefined;
}

function undefinedName(name: string, path: KeyPath, names: readonly string[]): TargetProblem {
  return {
    path,
    what: `{${name}} is defined by no capture`,
    why: 'a name in braces stands for a captured value',
    remedy:
      names.length > 1
        ? `${knownNames(name, names)} (in braces), or add captures: ${name}: { from: <operationId>, pointer: /… }`
        : `add captures: ${name}: { from: <operationId>, pointer: /… }`,
  };
}

/** A value that can only be captured from a call that needs it first. */
function circles(
  description: Json,
  captures: ReadonlyMap<string, Capture>,
  contract: Contract,
): TargetProblem[] {
  const parameters = entryOf(description, 'parameters');
  const bodies = entryOf(description, 'bodies');
  const neededBy = (id: string): string[] => {
    const operation = contract.find(id);
    const own = entryOf(parameters, id);
    const inPath = (operation?.pathParameters ?? []).filter(
      (name) => entryOf(own, name) === undefined && entryOf(parameters, name) === undefined,
    );
    const inBody = placeholdersIn(entryOf(bodies, id) ?? null).map(({ name }) => name);
    return [...inPath, ...inBody].filter((name) => captures.has(name));
  };
  return [...captures].flatMap(([name, { from }]) => {
    const needed = new Set(neededBy(from));
    for (const other of needed) {
      for (const further of neededBy(captures.get(other)?.from ?? '')) needed.add(further);
    }
    if (!needed.has(name)) return [];
    const path = ['captures', name];
    return [
      {
        path,
        what: `${keyText(path)} needs itself`,
        why: `${from} can only be called with ${[...needed].map((item) => `{${item}}`).join(', ')}`,
        remedy: 'capture it from an operation that can be called without it',
      },
    ];
  });
}
