import type { Contract, Operation } from '../../spec/contract.ts';
import type { Json } from '../model/target.ts';
import { unknownOperation, valueProblem } from './contract-problems.ts';
import { headerObjection } from './header-rules.ts';
import { knownNames } from './nearest-name.ts';
import { entryOf, textOf } from './plain-json.ts';
import type { Objection, TargetProblem } from './target-problem.ts';

/** What is wrong with values of the user's own. */
export function ownValueProblems(values: Json | undefined, contract: Contract): TargetProblem[] {
  if (!Array.isArray(values)) return [];
  return (values as readonly Json[]).flatMap((item, index) => problemsOf(item, index, contract));
}

function problemsOf(item: Json, index: number, contract: Contract): TargetProblem[] {
  const id = textOf(item, 'operation');
  const operation = id === undefined ? undefined : contract.find(id);
  if (id !== undefined && operation === undefined)
    return [unknownOperation(id, ['values', index, 'operation'], false, contract.operations)];
  const place = textOf(item, 'in');
  const value = entryOf(item, 'value');
  if (place === undefined || value === undefined) return [];
  const possible = placesAt(operation === undefined ? contract.operations : [operation]);
  if (!possible.includes(place)) {
    const what = `${operation?.id ?? 'no operation'} ${operation === undefined ? 'takes' : 'does not take'} a value in ${JSON.stringify(place)}`;
    return [{ path: ['values', index, 'in'], what, remedy: knownNames(place, possible) }];
  }
  const path = ['values', index, 'value'];
  if (place === 'body') return operation === undefined ? [bodyOfNobody(index)] : [];
  if (typeof value !== 'string')
    return [{ path, what: 'the value is not text', remedy: 'put it in quotation marks' }];
  if (place === 'query') return [...problem(path, queryObjection(value))];
  if (place === 'header') return [...problem(path, headerLineObjection(value))];
  return value === ''
    ? [{ path, what: 'the value is empty', remedy: 'give another value' }]
    : valueProblem(path, value);
}

function placesAt(operations: readonly Operation[]): readonly string[] {
  const parameters = operations.flatMap(({ pathParameters }) => pathParameters);
  const bodies = operations.some(({ requestSchema }) => requestSchema !== undefined) ? ['body'] : [];
  return [...new Set(parameters), 'query', 'header', ...bodies];
}

function bodyOfNobody(index: number): TargetProblem {
  return {
    path: ['values', index],
    what: 'a body needs an operation',
    why: 'each operation takes another body',
    remedy: 'add operation: <operationId>',
  };
}

function queryObjection(query: string): Objection | undefined {
  return /^[!$-;=?-_a-z~]+$/.test(query)
    ? undefined
    : {
        what: 'the query contains a character that no query may hold',
        remedy: 'write it as it is sent, percent-encoded and without the question mark in front',
      };
}

function headerLineObjection(line: string): Objection | undefined {
  const colon = line.indexOf(':');
  if (colon < 1) return { what: 'a header needs a name, a colon and a value', remedy: "write 'Name: value'" };
  return headerObjection(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
}

function problem(path: TargetProblem['path'], objection: Objection | undefined): TargetProblem[] {
  return objection === undefined ? [] : [{ ...objection, path }];
}
