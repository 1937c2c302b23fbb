import type { Contract, Operation } from '../../spec/contract.ts';
import type { Capture, Json } from '../model/target.ts';
import { placeholdersIn, UNIQUE } from '../requests/placeholders.ts';
import { headerLineObjection } from './header-rules.ts';
import { knownNames, nearestName } from './nearest-name.ts';
import { entriesOf, entryOf, textOf } from './plain-json.ts';
import { type KeyPath, keyText, type Objection, objectionTo, type TargetProblem } from './target-problem.ts';

interface Spot {
  readonly path: KeyPath;
  readonly name: string;
  readonly value: Json;
  /** The map or list that the value stands in. */
  readonly holder: Json;
  readonly description: Json;
  readonly contract: Contract;
}

type Mistake = Objection & Pick<TargetProblem, 'atName'>;

/** What the schema cannot say: where values stand (`*` is one step, `**` any number), and what is wrong with them. */
const rules: ReadonlyArray<readonly [at: string, read: (spot: Spot) => Mistake | undefined]> = [
  ['parameters.*', parameterMistake],
  ['parameters.*.*', ownParameterMistake],
  ['parameters.**', unfilled],
  ['query.*', ({ name, contract }) => unknownOperation(name, contract, { atName: true })],
  ['query.*.*', ({ name, value }) => loneSurrogate(name) ?? loneSurrogate(value)],
  ['bodies.*', bodyMistake],
  ['bodies.**', unfilled],
  ['bodies.**', undefinedPlaceholder],
  ['captures.*', captureMistake],
  ['captures.*', needsItself],
  ['captures.*.from', ({ value, contract }) => unknownOperation(value, contract)],
  ['captures.*.pointer', ({ value }) => pointerMistake(value)],
  ['exclude.*.operation', ({ value, contract }) => unknownOperation(value, contract)],
  ['exclude.*.parameter', (spot) => unknownPlace(spot, ['query'])],
  ['values.*.operation', ({ value, contract }) => unknownOperation(value, contract)],
  ['values.*.in', (spot) => unknownPlace(spot, ['query', 'header'])],
  ['values.*', bodyWithoutOperation],
  ['values.*.value', ownValueMistake],
];

/** Names in a description that the contract does not have, and values that cannot be sent. */
export function ruleProblems(description: Json, contract: Contract): readonly TargetProblem[] {
  return [...spotsIn(description)].flatMap(({ path, value, holder }) => {
    const spot = { path, name: String(path.at(-1)), value, holder, description, contract };
    return rules.flatMap(([at, read]) => {
      const mistake = isAt(path, at.split('.')) ? read(spot) : undefined;
      return mistake === undefined ? [] : { ...mistake, path };
    });
  });
}

function* spotsIn(holder: Json, above: KeyPath = []): Generator<Pick<Spot, 'path' | 'value' | 'holder'>> {
  const entries = Array.isArray(holder) ? holder.entries() : entriesOf(holder);
  for (const [name, value] of entries as Iterable<readonly [string | number, Json]>) {
    const path = [...above, name];
    yield { path, value, holder };
    yield* spotsIn(value, path);
  }
}

function isAt(path: KeyPath, steps: readonly string[]): boolean {
  if (steps.at(-1) === '**') return path.length >= steps.length && path[0] === steps[0];
  return path.length === steps.length && steps.every((step, at) => step === '*' || step === path[at]);
}

export function capturesOf(description: Json, contract: Contract): Readonly<Record<string, Capture>> {
  const captures = entriesOf(entryOf(description, 'captures')).flatMap(([name, value]) => {
    const isShort = typeof value === 'string';
    const from = isShort ? contract.issuerOf(name)?.id : textOf(value, 'from');
    const pointer = isShort ? value : textOf(value, 'pointer');
    return from === undefined || pointer === undefined ? [] : [[name, { from, pointer }] as const];
  });
  return Object.fromEntries(captures);
}

function unknownOperation(
  id: Json,
  { operations }: Pick<Contract, 'operations'>,
  more: Pick<Mistake, 'atName'> = {},
): Mistake | undefined {
  const ids = operations.map((operation) => operation.id);
  if (typeof id !== 'string' || ids.includes(id)) return undefined;
  const why = 'operations are named by their operationId; npx commerce-conformance plan lists them';
  return { what: `unknown operation ${JSON.stringify(id)}`, why, remedy: knownNames(id, ids), ...more };
}

const noParameters = 'remove it; the operation has no path parameters';

function parameterMistake({ name, value, contract }: Spot): Mistake | undefined {
  const { operations } = contract;
  const names = [...new Set(operations.flatMap(({ pathParameters }) => pathParameters))];
  if (names.includes(name)) return unsendable(value);
  const operation = contract.find(name);
  if (operation !== undefined) {
    if (typeof value !== 'string') return undefined;
    const [example] = operation.pathParameters;
    const remedy = example === undefined ? noParameters : `write ${name}: { ${example}: … }`;
    return { what: `${name} is an operation and takes its values by parameter name`, remedy };
  }
  const known = [...names, ...operations.flatMap(({ id, pathParameters }) => (pathParameters[0] ? id : []))];
  return {
    what: `unknown parameter ${JSON.stringify(name)}`,
    why: 'no operation has a path parameter or an operationId of this name',
    remedy: knownNames(name, nearestName(name, known) === undefined ? names : known),
    atName: true,
  };
}

function ownParameterMistake({ path, name, value, contract }: Spot): Mistake | undefined {
  const { id, pathParameters } = contract.find(String(path[1])) ?? { pathParameters: [name] };
  if (pathParameters.includes(name)) return unsendable(value);
  const remedy = pathParameters.length === 0 ? noParameters : knownNames(name, pathParameters);
  return { what: `${id} has no path parameter ${JSON.stringify(name)}`, remedy, atName: true };
}

function unsendable(value: Json): Mistake | undefined {
  if (value !== '.' && value !== '..') return loneSurrogate(value);
  const why = 'clients and proxies resolve it as a path segment';
  return { what: `the value ${value} cannot be sent`, why, remedy: 'give another value' };
}

function loneSurrogate(value: Json): Mistake | undefined {
  if (typeof value !== 'string' || !/\p{Surrogate}/u.test(value)) return undefined;
  return {
    what: 'the value is not well-formed Unicode',
    remedy: 'remove the lone surrogate (\\ud800 to \\udfff)',
  };
}

function bodyMistake({ name, contract }: Spot): Mistake | undefined {
  const takers = contract.operations.filter(takesBody);
  if (contract.find(name) === undefined)
    return unknownOperation(name, { operations: takers }, { atName: true });
  if (takers.some(({ id }) => id === name)) return undefined;
  return {
    what: `${name} takes no body`,
    why: 'the contract gives a request body to POST operations only',
    remedy: `remove it; bodies are for ${takers.map(({ id }) => id).join(', ')}`,
    atName: true,
  };
}

function takesBody({ requestSchema }: Operation): boolean {
  return requestSchema !== undefined;
}

/** The remedy for a text that was copied from `doctor` or a report without being filled in. */
export const howToFill = 'put it in, or remove the line';

/** Whether a text is a gap that only the user can fill. */
export function isUnfilled(text: string): boolean {
  return /^(?:…|… a valid \w+ …|<one that exists>)$/.test(text);
}

function unfilled({ value }: Spot): Mistake | undefined {
  if (typeof value !== 'string' || !isUnfilled(value)) return undefined;
  return { what: `${value} is a placeholder for your own value`, remedy: howToFill };
}

function undefinedPlaceholder({ value, description }: Spot): Mistake | undefined {
  const names = [...entriesOf(entryOf(description, 'captures')).map(([name]) => name), UNIQUE];
  const used = typeof value === 'string' ? placeholdersIn(value) : [];
  const unknown = used.find((one) => !names.includes(one));
  if (unknown === undefined) return undefined;
  const add = `add captures: ${unknown}: { from: <operationId>, pointer: /… }`;
  return {
    what: `no capture defines {${unknown}}`,
    why: 'a name in braces stands for a captured value',
    remedy: names.length > 1 ? `${knownNames(unknown, names)} (in braces), or ${add}` : add,
  };
}

function captureMistake({ name, value, contract }: Spot): Mistake | undefined {
  if (name === UNIQUE) {
    const why = `{${UNIQUE}} is built in: a value fresh for each use`;
    return { what: `${UNIQUE} cannot be captured`, why, remedy: 'choose another name', atName: true };
  }
  if (typeof value !== 'string') return undefined;
  const pointer = value.startsWith('/') ? value : '/…';
  if (contract.issuerOf(name) !== undefined) return pointerMistake(value);
  return {
    what: `no operation is known to return ${name}`,
    why: 'the short form is for a path parameter whose values one POST operation issues',
    remedy: `write ${name}: { from: <operationId>, pointer: ${pointer} }`,
  };
}

/** What is wrong with a text that is no RFC 6901 JSON Pointer to a value inside a body. */
function pointerMistake(text: Json): Mistake | undefined {
  if (typeof text !== 'string' || /^(?:\/(?:[^~/]|~[01])*)+$/.test(text)) return undefined;
  const path = text.startsWith('/')
    ? text
    : text.replace(/^[#$]?[./]?/, '/').replaceAll(/\[(\d+)\]|\./g, '/$1');
  return {
    what: `${JSON.stringify(text)} is not a JSON Pointer to a value`,
    why: 'a JSON Pointer (RFC 6901) starts with /, and writes ~ as ~0',
    remedy: `write ${path === '/' ? '/…' : path.replaceAll(/~(?![01])/g, '~0')}`,
  };
}

/** Finds a value that can only be captured from a call that needs it first. */
function needsItself({ path, name, description, contract }: Spot): Mistake | undefined {
  const captures = capturesOf(description, contract);
  const parameters = entryOf(description, 'parameters');
  const neededBy = (id = ''): readonly string[] => {
    const inPath = (contract.find(id)?.pathParameters ?? []).filter(
      (own) => entryOf(entryOf(parameters, id), own) === undefined && entryOf(parameters, own) === undefined,
    );
    const inBody = placeholdersIn(entryOf(entryOf(description, 'bodies'), id) ?? null);
    return [...inPath, ...inBody].filter((own) => Object.hasOwn(captures, own));
  };
  const needed = new Set(neededBy(captures[name]?.from));
  for (const other of needed) for (const further of neededBy(captures[other]?.from)) needed.add(further);
  if (!Object.hasOwn(captures, name) || !needed.has(name)) return undefined;
  const names = [...needed].map((item) => `{${item}}`).join(', ');
  return {
    what: `${keyText(path)} needs itself`,
    why: `${captures[name]?.from} can only be called with ${names}`,
    remedy: 'capture it from an operation that can be called without it',
  };
}

/** The places where the operation of an item takes values, or any operation if the item names none. */
function unknownPlace({ value, holder, contract }: Spot, besides: readonly string[]): Mistake | undefined {
  const id = textOf(holder, 'operation');
  const operation = id === undefined ? undefined : contract.find(id);
  const among = operation === undefined ? contract.operations : [operation];
  const inPaths = among.flatMap(({ pathParameters }) => pathParameters);
  const possible = [...new Set(inPaths), ...besides, ...(among.some(takesBody) ? ['body'] : [])];
  if (typeof value !== 'string' || possible.includes(value)) return undefined;
  const who = operation === undefined ? 'no operation takes' : `${operation.id} does not take`;
  return { what: `${who} values in ${JSON.stringify(value)}`, remedy: knownNames(value, possible) };
}

function bodyWithoutOperation({ value }: Spot): Mistake | undefined {
  if (textOf(value, 'in') !== 'body' || textOf(value, 'operation') !== undefined) return undefined;
  const why = 'each operation takes another body';
  return { what: 'a body needs an operation', why, remedy: 'add operation: <operationId>' };
}

function ownValueMistake({ value, holder }: Spot): Mistake | undefined {
  const place = textOf(holder, 'in');
  if (place === undefined || place === 'body') return undefined;
  if (typeof value !== 'string')
    return { what: 'the value is not text', remedy: 'put it in quotation marks' };
  if (place === 'header') return headerLineObjection(value);
  if (place === 'query') return objectionTo(value, [queryRule]);
  return value === '' ? { what: 'the value is empty', remedy: 'give another value' } : unsendable(value);
}

const queryRule = {
  refuses: /^$|[^!$-;=?-_a-z~]/,
  what: 'the query contains a character that no query may hold',
  remedy: 'write it as it is sent, percent-encoded and without the question mark in front',
};
