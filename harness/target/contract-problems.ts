import type { Contract, Operation } from '../../spec/contract.ts';
import type { Json } from '../model/target.ts';
import { headerLineObjection } from './header-rules.ts';
import { knownNames, nearestName } from './nearest-name.ts';
import { entriesOf, entryOf, textOf } from './plain-json.ts';
import type { KeyPath, Objection, TargetProblem } from './target-problem.ts';

/** Notes a problem; `more` says why, or points at the name. */
export type Refuse = (
  path: KeyPath,
  what: string,
  remedy: string,
  more?: Pick<TargetProblem, 'why' | 'atName'>,
) => void;

/** Refuses names in a description that the contract does not have, and values that cannot be sent. */
export function refuseForeignNames(description: Json, contract: Contract, refuse: Refuse): void {
  const section = (name: string): ReturnType<typeof entriesOf> => entriesOf(entryOf(description, name));
  const list = (name: string): readonly Json[] => {
    const value = entryOf(description, name);
    return Array.isArray(value) ? value : [];
  };
  for (const [name, value] of section('parameters')) refuseParameter(name, value, contract, refuse);
  for (const [id, values] of section('query')) {
    findOperation(id, ['query', id], contract, refuse, { atName: true });
    for (const [name, value] of entriesOf(values)) {
      for (const text of [name, value]) refuseLoneSurrogates(['query', id, name], text, refuse);
    }
  }
  for (const [id] of section('bodies')) refuseBody(id, contract, refuse);
  for (const [index, item] of list('exclude').entries()) refuseExclusion(item, index, contract, refuse);
  for (const [index, item] of list('values').entries()) refuseOwnValue(item, index, contract, refuse);
  for (const title of ['parameters', 'bodies']) {
    for (const [name, value] of section(title)) refuseUnfilled(value, [title, name], refuse);
  }
}

/** The operation with this id; refuses an id that the contract does not have. */
export function findOperation(
  id: string | undefined,
  path: KeyPath,
  contract: Contract,
  refuse: Refuse,
  how: { readonly atName?: boolean; readonly among?: readonly Operation[] } = {},
): Operation | undefined {
  const found = id === undefined ? undefined : contract.find(id);
  if (id === undefined || found !== undefined) return found;
  const { atName = false, among = contract.operations } = how;
  const ids = among.map((operation) => operation.id);
  const why = 'operations are named by their operationId; npx commerce-conformance plan lists them';
  refuse(path, `unknown operation ${JSON.stringify(id)}`, knownNames(id, ids), { why, atName });
  return undefined;
}

function parameterNames({ operations }: Contract): readonly string[] {
  return [...new Set(operations.flatMap(({ pathParameters }) => pathParameters))];
}

function refuseParameter(name: string, value: Json, contract: Contract, refuse: Refuse): void {
  const path = ['parameters', name];
  const operation = contract.find(name);
  const names = parameterNames(contract);
  if (operation !== undefined) refuseParametersOf(operation, value, refuse);
  else if (!names.includes(name)) {
    const takers = contract.operations.filter(({ pathParameters }) => pathParameters.length > 0);
    const known = [...names, ...takers.map(({ id }) => id)];
    const remedy = knownNames(name, nearestName(name, known) === undefined ? names : known);
    const why = 'no operation has a path parameter or an operationId of this name';
    refuse(path, `unknown parameter ${JSON.stringify(name)}`, remedy, { why, atName: true });
  } else if (typeof value === 'object' && value !== null) {
    const remedy = `write ${name}: a-value; values for one operation stand below its operationId`;
    refuse(path, `${name} is a parameter and takes text`, remedy);
  } else refuseValue(path, value, refuse);
}

function refuseParametersOf({ id, pathParameters }: Operation, value: Json, refuse: Refuse): void {
  const [example] = pathParameters;
  const nothing = 'remove it; the operation has no path parameters';
  if (typeof value === 'string') {
    const remedy = example === undefined ? nothing : `write ${id}: { ${example}: … }`;
    refuse(['parameters', id], `${id} is an operation and takes its values by parameter name`, remedy);
  }
  for (const [name, item] of entriesOf(value)) {
    const path = ['parameters', id, name];
    const remedy = example === undefined ? nothing : knownNames(name, pathParameters);
    if (pathParameters.includes(name)) refuseValue(path, item, refuse);
    else refuse(path, `${id} has no path parameter ${JSON.stringify(name)}`, remedy, { atName: true });
  }
}

function refuseValue(path: KeyPath, value: Json, refuse: Refuse): void {
  if (value === '.' || value === '..') {
    const why = 'it is resolved as a path segment on the way';
    refuse(path, `the value ${value} cannot be sent`, 'give another value', { why });
  }
  refuseLoneSurrogates(path, value, refuse);
}

function refuseLoneSurrogates(path: KeyPath, value: Json, refuse: Refuse): void {
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value))
    refuse(path, 'the value is not well-formed Unicode', 'remove the lone surrogate (\\ud800 to \\udfff)');
}

function refuseBody(id: string, contract: Contract, refuse: Refuse): void {
  const path = ['bodies', id];
  const among = contract.operations.filter(({ requestSchema }) => requestSchema !== undefined);
  const operation = findOperation(id, path, contract, refuse, { atName: true, among });
  if (operation === undefined || operation.requestSchema !== undefined) return;
  const why = 'the contract gives a request body to POST operations only';
  const remedy = `remove it; bodies are for ${among.map((one) => one.id).join(', ')}`;
  refuse(path, `${id} takes no body`, remedy, { why, atName: true });
}

function refuseExclusion(item: Json, index: number, contract: Contract, refuse: Refuse): void {
  const id = textOf(item, 'operation');
  const parameter = textOf(item, 'parameter');
  const operation = findOperation(id, ['exclude', index, 'operation'], contract, refuse);
  const places = placesAt(operation === undefined ? contract.operations : [operation]);
  const possible = places.filter((place) => place !== 'header');
  if (parameter === undefined || possible.includes(parameter)) return;
  const who = operation ? `${operation.id} has no` : 'no operation has a';
  const what = `${who} path parameter ${JSON.stringify(parameter)}`;
  refuse(['exclude', index, 'parameter'], what, knownNames(parameter, possible));
}

function refuseOwnValue(item: Json, index: number, contract: Contract, refuse: Refuse): void {
  const id = textOf(item, 'operation');
  const operation = findOperation(id, ['values', index, 'operation'], contract, refuse);
  const place = textOf(item, 'in');
  const value = entryOf(item, 'value');
  if ((id !== undefined && operation === undefined) || place === undefined || value === undefined) return;
  const possible = placesAt(operation === undefined ? contract.operations : [operation]);
  const path = ['values', index, 'value'];
  if (!possible.includes(place)) {
    const who = operation === undefined ? 'no operation takes' : `${operation.id} does not take`;
    const what = `${who} a value in ${JSON.stringify(place)}`;
    refuse(['values', index, 'in'], what, knownNames(place, possible));
  } else if (place === 'body') {
    const why = 'each operation takes another body';
    if (operation === undefined)
      refuse(['values', index], 'a body needs an operation', 'add operation: <operationId>', { why });
  } else if (typeof value !== 'string') {
    refuse(path, 'the value is not text', 'put it in quotation marks');
  } else if (place === 'query' || place === 'header') {
    const objection = place === 'query' ? queryObjection(value) : headerLineObjection(value);
    if (objection !== undefined) refuse(path, objection.what, objection.remedy, objection);
  } else if (value === '') refuse(path, 'the value is empty', 'give another value');
  else refuseValue(path, value, refuse);
}

function placesAt(operations: readonly Operation[]): readonly string[] {
  const parameters = operations.flatMap(({ pathParameters }) => pathParameters);
  const bodies = operations.some(({ requestSchema }) => requestSchema !== undefined) ? ['body'] : [];
  return [...new Set(parameters), 'query', 'header', ...bodies];
}

function queryObjection(query: string): Objection | undefined {
  if (/^[!$-;=?-_a-z~]+$/.test(query)) return undefined;
  const remedy = 'write it as it is sent, percent-encoded and without the question mark in front';
  return { what: 'the query contains a character that no query may hold', remedy };
}

/** The remedy for a text that was copied from `doctor` or a report without being filled in. */
export const howToFill = 'put it in, or remove the line';

/** Whether a text is a gap that only the user can fill. */
export function isUnfilled(text: string): boolean {
  return /^(?:…|… a valid \w+ …|<one that exists>)$/.test(text);
}

function refuseUnfilled(value: Json, path: KeyPath, refuse: Refuse): void {
  for (const [name, member] of entriesOf(value)) refuseUnfilled(member, [...path, name], refuse);
  if (typeof value === 'string' && isUnfilled(value))
    refuse(path, `${value} is a placeholder for your own value`, howToFill);
}
