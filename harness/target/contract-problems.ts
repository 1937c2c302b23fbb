import type { Contract, Operation } from '../../spec/contract.ts';
import type { Json } from '../model/target.ts';
import { knownNames, nearestName } from './nearest-name.ts';
import { ownValueProblems } from './own-value-problems.ts';
import { entriesOf, entryOf, textOf } from './plain-json.ts';
import type { KeyPath, TargetProblem } from './target-problem.ts';

/** What the parameters, bodies and exclusions of a description name that the contract does not have. */
export function contractProblems(description: Json, contract: Contract): TargetProblem[] {
  const names = [...new Set(contract.operations.flatMap((operation) => operation.pathParameters))];
  return [
    ...entriesOf(entryOf(description, 'parameters')).flatMap(([name, value]) =>
      parameterProblems(name, value, names, contract),
    ),
    ...entriesOf(entryOf(description, 'query')).flatMap(([name, values]) =>
      queryProblems(name, values, contract),
    ),
    ...entriesOf(entryOf(description, 'bodies')).flatMap(([name]) => bodyProblem(name, contract) ?? []),
    ...exclusionProblems(entryOf(description, 'exclude'), names, contract),
    ...ownValueProblems(entryOf(description, 'values'), contract),
  ];
}

/** The refusal of a name that is no operationId of the contract. */
export function unknownOperation(
  id: string,
  path: KeyPath,
  atName: boolean,
  candidates: readonly Operation[],
): TargetProblem {
  const ids = candidates.map((operation) => operation.id);
  return {
    path,
    atName,
    what: `unknown operation ${JSON.stringify(id)}`,
    why: 'operations are named by their operationId; npx commerce-conformance plan lists them',
    remedy: knownNames(id, ids),
  };
}

function parameterProblems(
  name: string,
  value: Json,
  names: readonly string[],
  contract: Contract,
): TargetProblem[] {
  const path = ['parameters', name];
  const operation = contract.find(name);
  if (operation !== undefined) {
    if (typeof value !== 'string') return operationParameterProblems(operation, value);
    const example = operation.pathParameters[0];
    return [
      {
        path,
        what: `${name} is an operation and takes its values by parameter name`,
        remedy: example === undefined ? noParameters : `write ${name}: { ${example}: … }`,
      },
    ];
  }
  if (!names.includes(name)) {
    const why = 'no operation has a path parameter or an operationId of this name';
    const known = [
      ...names,
      ...contract.operations.filter((o) => o.pathParameters.length > 0).map((o) => o.id),
    ];
    return [
      {
        path,
        atName: true,
        what: `unknown parameter ${JSON.stringify(name)}`,
        why,
        remedy: knownNames(name, nearestName(name, known) === undefined ? names : known),
      },
    ];
  }
  if (typeof value === 'object' && value !== null) {
    return [
      {
        path,
        what: `${name} is a parameter and takes text`,
        remedy: `write ${name}: a-value; values for one operation stand below its operationId`,
      },
    ];
  }
  return valueProblem(path, value);
}

const noParameters = 'remove it; the operation has no path parameters';

function operationParameterProblems(operation: Operation, value: Json): TargetProblem[] {
  return entriesOf(value).flatMap(([name, item]) => {
    const path = ['parameters', operation.id, name];
    if (operation.pathParameters.includes(name)) return valueProblem(path, item);
    return [
      {
        path,
        atName: true,
        what: `${operation.id} has no path parameter ${JSON.stringify(name)}`,
        remedy:
          operation.pathParameters.length === 0 ? noParameters : knownNames(name, operation.pathParameters),
      },
    ];
  });
}

/** Why a text cannot be sent as a path value. */
export function valueProblem(path: KeyPath, value: Json): TargetProblem[] {
  if (value === '.' || value === '..') {
    return [
      {
        path,
        what: `the value ${value} cannot be sent`,
        why: 'it is resolved as a path segment on the way',
        remedy: 'give another value',
      },
    ];
  }
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) {
    return [
      {
        path,
        what: 'the value is not well-formed Unicode',
        remedy: 'remove the lone surrogate (\\ud800 to \\udfff)',
      },
    ];
  }
  return [];
}

function queryProblems(id: string, values: Json, contract: Contract): TargetProblem[] {
  if (contract.find(id) === undefined)
    return [unknownOperation(id, ['query', id], true, contract.operations)];
  return entriesOf(values).flatMap(([name, value]) =>
    [name, value].some((text) => typeof text === 'string' && /\p{Surrogate}/u.test(text))
      ? [
          {
            path: ['query', id, name],
            what: 'the value is not well-formed Unicode',
            remedy: 'remove the lone surrogate (\\ud800 to \\udfff)',
          },
        ]
      : [],
  );
}

function bodyProblem(name: string, contract: Contract): TargetProblem | undefined {
  const withBody = contract.operations.filter(({ requestSchema }) => requestSchema !== undefined);
  if (withBody.some(({ id }) => id === name)) return undefined;
  const path = ['bodies', name];
  if (!contract.operations.some(({ id }) => id === name)) return unknownOperation(name, path, true, withBody);
  return {
    path,
    atName: true,
    what: `${name} takes no body`,
    why: 'the contract gives a request body to POST operations only',
    remedy: `remove it; bodies are for ${withBody.map(({ id }) => id).join(', ')}`,
  };
}

function exclusionProblems(
  value: Json | undefined,
  names: readonly string[],
  contract: Contract,
): TargetProblem[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((item, index) => {
    const problems: TargetProblem[] = [];
    const parameter = textOf(item, 'parameter');
    const id = textOf(item, 'operation');
    const operation = id === undefined ? undefined : contract.find(id);
    if (id !== undefined && operation === undefined) {
      problems.push(unknownOperation(id, ['exclude', index, 'operation'], false, contract.operations));
    }
    const possible = operation?.pathParameters ?? names;
    if (parameter !== undefined && !possible.includes(parameter)) {
      problems.push({
        path: ['exclude', index, 'parameter'],
        what: `${operation?.id ?? 'no operation'} has ${operation ? 'no' : 'a'} path parameter ${JSON.stringify(parameter)}`,
        remedy: knownNames(parameter, possible),
      });
    }
    return problems;
  });
}
