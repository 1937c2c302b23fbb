import type { Contract } from '../../spec/contract.ts';
import type { Capture, Json } from '../model/target.ts';
import { placeholdersIn, UNIQUE } from '../requests/placeholders.ts';
import { findOperation, type Refuse } from './contract-problems.ts';
import { knownNames } from './nearest-name.ts';
import { entriesOf, entryOf, textOf } from './plain-json.ts';
import { keyText } from './target-problem.ts';

/** The captures of a description in their long form; refuses mistakes in them and in their uses in bodies. */
export function readCaptures(
  description: Json,
  contract: Contract,
  refuse: Refuse,
): Readonly<Record<string, Capture>> {
  const captures = new Map<string, Capture>();
  const given = entriesOf(entryOf(description, 'captures'));
  for (const [name, value] of given) {
    const capture = readCapture(name, value, contract, refuse);
    if (capture !== undefined) captures.set(name, capture);
  }
  const names = [...given.map(([name]) => name), UNIQUE];
  for (const [operation, body] of entriesOf(entryOf(description, 'bodies'))) {
    for (const { name, path } of placeholdersIn(body, ['bodies', operation])) {
      if (names.includes(name)) continue;
      const add = `add captures: ${name}: { from: <operationId>, pointer: /… }`;
      const remedy = names.length > 1 ? `${knownNames(name, names)} (in braces), or ${add}` : add;
      const why = 'a name in braces stands for a captured value';
      refuse(path, `{${name}} is defined by no capture`, remedy, { why });
    }
  }
  refuseCircles(description, captures, contract, refuse);
  return Object.fromEntries(captures);
}

function readCapture(name: string, value: Json, contract: Contract, refuse: Refuse): Capture | undefined {
  const path = ['captures', name];
  if (name === UNIQUE) {
    const why = `{${UNIQUE}} is built in: a value fresh for each use`;
    refuse(path, `${UNIQUE} cannot be captured`, 'choose another name', { why, atName: true });
    return undefined;
  }
  const short = typeof value === 'string';
  const pointer = short ? value : textOf(value, 'pointer');
  const from = short ? creatorOf(name, contract) : textOf(value, 'from');
  const objection = pointer === undefined ? undefined : pointerObjection(pointer);
  if (objection !== undefined) {
    const what = `${JSON.stringify(pointer)} is not a JSON Pointer to a value`;
    refuse(short ? path : [...path, 'pointer'], what, objection.remedy, { why: objection.why });
  }
  if (short && from === undefined) {
    const why = 'the short form is for a path parameter whose values one POST operation issues';
    const remedy = `write ${name}: { from: <operationId>, pointer: ${value.startsWith('/') ? value : '/…'} }`;
    refuse(path, `it is not known which operation answers with ${name}`, remedy, { why });
  }
  if (from === undefined || pointer === undefined) return undefined;
  findOperation(from, [...path, 'from'], contract, refuse);
  return { from, pointer };
}

/** The operation that POSTs to the collection whose members the parameter names. */
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

/** Refuses values that can only be captured from a call that needs them first. */
function refuseCircles(
  description: Json,
  captures: ReadonlyMap<string, Capture>,
  contract: Contract,
  refuse: Refuse,
): void {
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
  for (const [name, { from }] of captures) {
    const needed = new Set(neededBy(from));
    for (const other of needed) {
      for (const further of neededBy(captures.get(other)?.from ?? '')) needed.add(further);
    }
    if (!needed.has(name)) continue;
    const path = ['captures', name];
    const why = `${from} can only be called with ${[...needed].map((item) => `{${item}}`).join(', ')}`;
    const remedy = 'capture it from an operation that can be called without it';
    refuse(path, `${keyText(path)} needs itself`, remedy, { why });
  }
}

/** Says why a text is not an RFC 6901 JSON Pointer to a value inside a body. */
function pointerObjection(text: string): { why: string; remedy: string } | undefined {
  if (text.startsWith('#'))
    return { why: 'the # form is for URLs', remedy: `write ${text.slice(1) || '/…'}` };
  if (text === '')
    return { why: 'it would take the whole body', remedy: 'write the path to the value, such as /data/id' };
  if (/~(?![01])/.test(text))
    return { why: '~ must be followed by 0 or 1', remedy: 'write ~0 for a ~ in a name, ~1 for a /' };
  if (text.startsWith('/')) return undefined;
  const path = text.replace(/^\$\.?/, '').replaceAll(/\[(\d+)\]|\./g, '/$1');
  return { why: 'a JSON Pointer (RFC 6901) starts with /', remedy: `write /${path}` };
}
