import type { Contract, Operation } from '../../spec/contract.ts';
import type { DocumentDeviation, Members, OpenApiDocument } from '../model/supplied-document.ts';
import { absentCapability, isPrivate } from './absent-capabilities.ts';
import { compareSecurity, oauthSchemes } from './compare-security.ts';
import { type CompiledDocument, compileDocument, responseAt } from './compile-document.ts';
import { type Difference, difference } from './deviation.ts';
import { atPath, type DescribedOperation, shapeOf } from './find-operation.ts';
import { follow, membersOf, reach, rootOf } from './follow-references.ts';
import { pointerOf, type Steps } from './json-pointers.ts';
import { declaredName, describeDeclared } from './schema-names.ts';
import { pathParameter } from './suggest-values.ts';
import { isMembers } from './supplied-document.ts';

/** Statuses of errors that every operation declares. */
const errorSchema = 'PublicErrorResponse';

/** Names that one deviation lists. */
const mostShown = 5;

/** Headers that OpenAPI itself says are not parameters. */
const notParameters = new Set(['accept', 'content-type', 'authorization']);

/** Everything in which a document differs from the contract, that of the whole document first. */
export function compareWithContract(
  document: OpenApiDocument,
  contract: Pick<Contract, 'operations'>,
): readonly DocumentDeviation[] {
  const compiled = compileDocument(document);
  const own = (operation: Operation): readonly DocumentDeviation[] =>
    compareOperation(compiled, operation).map((found) => ({ operation: operation.id, ...found }));
  const operations = contract.operations.flatMap(own);
  compiled.compileAll(contract.operations);
  const whole = [
    ...compareVersion(document),
    ...compareOffers(compiled, contract.operations),
    ...compiled.unusable.map(({ at, reason }) => ({
      kind: 'unusable-schema',
      statement: 'A schema of the document cannot be used',
      expected: `a valid schema at ${pointerOf(at)}`,
      actual: reason,
      fix: 'Write a schema of JSON Schema 2020-12 there, all references of which exist.',
      at,
    })),
  ];
  return [...whole.map((found) => ({ operation: undefined, ...found })), ...operations];
}

function compareVersion({ version, defects }: OpenApiDocument): readonly Difference[] {
  return [
    ...difference(/^3\.1\.\d+(?:-\S+)?$/.test(version), {
      kind: 'other-version',
      statement: 'The document is not written in OpenAPI 3.1',
      expected: 'openapi: 3.1.x',
      actual: `openapi: ${version}`,
      fix: 'Write openapi: 3.1.0, and convert the schemas to JSON Schema 2020-12.',
      at: ['openapi'],
    }),
    ...difference(defects.length === 0, {
      kind: 'invalid-document',
      statement: 'The document is not valid OpenAPI 3.1',
      expected: 'a valid OpenAPI document',
      actual: defects.slice(0, 3).join('; '),
      fix: 'Correct the named places; npx @redocly/cli lint shows them all.',
      at: [],
    }),
  ];
}

function compareOffers(compiled: CompiledDocument, operations: readonly Operation[]): readonly Difference[] {
  const { content } = compiled;
  const published = new Set(operations.map((operation) => compiled.find(operation)?.place.value));
  const others = compiled.operations.filter(({ place }) => !published.has(place.value));
  const webhooks = membersOf(content, reach(content, rootOf(content), 'webhooks')).map(([name]) => name);
  return [
    ...others.flatMap((described): readonly Difference[] => {
      const capability = absentCapability(content, described);
      const name = `${described.method} ${described.path}`;
      const at = described.place.steps;
      if (capability !== undefined) return [notOffered(capability, name, at)];
      return oauthSchemes(content, described).map((scheme) =>
        notOffered('OAuth', `${name} by ${scheme}`, at),
      );
    }),
    ...compiled.operations.flatMap((described) => {
      const callbacks = membersOf(content, reach(content, described.place, 'callbacks')).map(
        ([name]) => name,
      );
      if (callbacks.length === 0 || isPrivate(content, described)) return [];
      return [
        notOffered(
          'webhook subscriptions',
          `callbacks ${callbacks.slice(0, 5).join(', ')} of ${described.method} ${described.path}`,
          [...described.place.steps, 'callbacks'],
        ),
      ];
    }),
    ...compareIds(compiled, operations),
    ...(webhooks.length > 0 ? [notOffered('webhook subscriptions', webhooks.join(', '), ['webhooks'])] : []),
  ];
}

/** An operationId that an operation beside the 25 uses a second time. */
function compareIds(compiled: CompiledDocument, operations: readonly Operation[]): readonly Difference[] {
  const { content } = compiled;
  const fixed = operations.filter(({ idIsOurs }) => !idIsOurs);
  const published = new Set(fixed.map((operation) => compiled.find(operation)?.place.value));
  const taken = new Map<string, DescribedOperation>();
  const idOf = ({ place }: DescribedOperation): unknown => reach(content, place, 'operationId')?.value;
  const isPublished = ({ place }: DescribedOperation): boolean => published.has(place.value);
  const all = compiled.operations;
  return [...all.filter(isPublished), ...all.filter((one) => !isPublished(one))].flatMap((described) => {
    const id = idOf(described);
    if (typeof id !== 'string') return [];
    const first = taken.get(id);
    if (first === undefined) {
      taken.set(id, described);
      return [];
    }
    // Another id at one of the 25 is a deviation of its own.
    if (isPublished(described) || first.place.value === described.place.value) return [];
    return difference(false, {
      kind: 'repeated-operation-id',
      statement: 'An operationId is not unique',
      expected: `another operationId than ${id}`,
      actual: `${id} at ${first.method} ${first.path} and at ${described.method} ${described.path}`,
      fix: `Give ${described.method} ${described.path} an operationId of its own.`,
      at: [...described.place.steps, 'operationId'],
    });
  });
}

function notOffered(capability: string, actual: string, at: readonly string[]): Difference {
  return {
    kind: `offers-${capability.toLowerCase().replaceAll(' ', '-')}`,
    statement: `The document offers ${capability}, which the contract excludes`,
    expected: 'none',
    actual,
    fix: 'Remove it from the document, or mark it x-internal: true where it is not public.',
    at,
  };
}

function compareOperation(compiled: CompiledDocument, operation: Operation): readonly Difference[] {
  const described = compiled.find(operation);
  if (described === undefined) return [missing(compiled, operation)];
  const { content } = compiled;
  return [
    ...compareId(content, operation, described),
    ...compareParameters(compiled, operation, described),
    ...compareSecurity(content, operation, described),
    ...oauthSchemes(content, described).map((scheme) => notOffered('OAuth', scheme, described.place.steps)),
    ...compareRequest(content, operation, described),
    ...compareSuccess(content, operation, described),
    ...compareErrors(content, operation, described),
  ];
}

function missing(compiled: CompiledDocument, operation: Operation): Difference {
  const { content } = compiled;
  const bare = shapeOf(operation.path.replace(/^\/api\/v1/, ''));
  const elsewhere =
    atPath(compiled.operations, operation.path)[0] ??
    compiled.operations.find(({ place }) => reach(content, place, 'operationId')?.value === operation.id) ??
    compiled.operations.find(
      ({ method, path }) => method === operation.method && shapeOf(path).endsWith(bare),
    );
  return {
    kind: 'missing-operation',
    statement: 'The document does not describe the operation',
    expected: `${operation.method} ${operation.path}`,
    actual:
      elsewhere === undefined
        ? 'no such operation'
        : `${elsewhere.method} ${elsewhere.fullPaths[0] ?? elsewhere.path}`,
    fix: `Describe ${operation.method} ${operation.path} below paths, or correct the path of servers.`,
    at: elsewhere?.place.steps ?? ['paths'],
  };
}

function compareId(
  content: Members,
  operation: Operation,
  { place }: DescribedOperation,
): readonly Difference[] {
  const id = reach(content, place, 'operationId')?.value;
  return difference(operation.idIsOurs || id === operation.id, {
    kind: 'other-operation-id',
    statement: 'The operation has another operationId than in the contract',
    expected: operation.id,
    actual: id === undefined ? 'no operationId' : String(id),
    fix: `Write operationId: ${operation.id}.`,
    at: place.steps,
  });
}

function compareParameters(
  compiled: CompiledDocument,
  operation: Operation,
  described: DescribedOperation,
): readonly Difference[] {
  const { content } = compiled;
  const found: Difference[] = [];
  for (const [, name = ''] of described.path.matchAll(/\{([^{}]*)\}/g)) {
    const parameter = pathParameter(compiled, described, name);
    const schema = parameter && reach(content, parameter, 'schema');
    const type = follow(content, schema)?.value;
    const types = isMembers(type) && type['type'] !== undefined ? [type['type']].flat() : ['string'];
    found.push(
      ...difference(parameter !== undefined && types.includes('string'), {
        kind: 'parameter-not-a-string',
        statement: 'A path parameter is not declared as a string',
        expected: `the path parameter ${name} as a string`,
        actual: parameter === undefined ? 'not declared' : `of type ${types.join(', ')}`,
        fix: `Declare { name: ${name}, in: path, required: true, schema: { type: string } }.`,
        at: parameter?.steps ?? described.place.steps,
      }),
    );
  }
  found.push(...compareOrder(operation, described));
  if (operation.idIsOurs) return found;
  const extra: Array<{ readonly text: string; readonly at: Steps }> = [];
  for (const holder of [described.place, described.pathItem]) {
    for (const [, listed] of membersOf(content, reach(content, holder, 'parameters'))) {
      const parameter = follow(content, listed)?.value;
      if (!isMembers(parameter) || parameter['in'] === 'path') continue;
      const name = String(parameter['name']);
      if (parameter['in'] === 'header' && notParameters.has(name.toLowerCase())) continue;
      extra.push({ text: `${String(parameter['in'])} parameter ${name}`, at: listed.steps });
    }
  }
  const [first] = extra;
  if (first === undefined) return found;
  const more = extra.length > mostShown ? ` and ${extra.length - mostShown} more` : '';
  const texts = extra.slice(0, mostShown).map(({ text }) => text);
  found.push({
    kind: 'further-parameters',
    statement: 'The operation declares query or header parameters',
    expected: 'none',
    actual: `${texts.join(', ')}${more}`,
    fix: 'Remove these parameters from the operation and its path.',
    at: first.at,
  });
  return found;
}

/** Parameters under the contract's names, but at each other's places. */
function compareOrder(operation: Operation, described: DescribedOperation): readonly Difference[] {
  const names = (path: string): readonly string[] =>
    Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, name = '']) => name);
  const ours = names(operation.path);
  const theirs = names(described.path).slice(-ours.length);
  const isSwapped =
    ours.every((name) => theirs.includes(name)) && ours.some((name, position) => theirs[position] !== name);
  return difference(!isSwapped, {
    kind: 'swapped-parameters',
    statement: 'The path parameters are swapped',
    expected: operation.path,
    actual: described.path,
    fix: `Write the path as ${operation.path}.`,
    at: described.pathItem.steps,
  });
}

function compareRequest(
  content: Members,
  operation: Operation,
  { place }: DescribedOperation,
): readonly Difference[] {
  const body = follow(content, reach(content, place, 'requestBody'));
  const { requestSchema } = operation;
  const at = body?.steps ?? place.steps;
  if (requestSchema === undefined) {
    return difference(body === undefined || operation.idIsOurs, {
      kind: 'further-request-body',
      statement: 'The operation declares a request body',
      expected: 'no requestBody',
      actual: 'a requestBody',
      fix: 'Remove requestBody from the operation.',
      at,
    });
  }
  const declared = declaredName(content, body, requestSchema);
  return [
    ...difference(body !== undefined && reach(content, body, 'required')?.value === true, {
      kind: 'optional-request-body',
      statement: 'The operation does not require its request body',
      expected: 'requestBody with required: true',
      actual: body === undefined ? 'no requestBody' : 'an optional requestBody',
      fix: `Write a requestBody with required: true and the schema ${requestSchema}.`,
      at,
    }),
    ...difference(body === undefined || declared === 'as expected', {
      kind: 'other-request-schema',
      statement: `The request body is not a ${requestSchema}`,
      expected: requestSchema,
      actual: describeDeclared(declared),
      fix: `Write schema: { $ref: '#/components/schemas/${requestSchema}' } below application/json.`,
      at,
    }),
  ];
}

function compareSuccess(
  content: Members,
  operation: Operation,
  { place }: DescribedOperation,
): readonly Difference[] {
  const responses = reach(content, place, 'responses');
  const success = follow(content, reach(content, responses, '200'));
  const known = new Set(operation.statuses.map(String));
  const others = membersOf(content, responses)
    .map(([status]) => status)
    // Interim responses come before the one that counts.
    .filter((status) => /^(?:[2-5](?:\d\d|XX)|default)$/i.test(status) && !known.has(status));
  const successes = others.filter((status) => /^[23]/.test(status));
  // A range in place of a missing status is reported for that status.
  const isComplete = operation.statuses.every(
    (status) => reach(content, responses, String(status)) !== undefined,
  );
  const errors = others.filter(
    (status) => !/^[23]/.test(status) && (isComplete || !/^(?:default|4XX)$/i.test(status)),
  );
  const { responseSchema } = operation;
  const declared = responseSchema && declaredName(content, success, responseSchema);
  return [
    ...difference(success !== undefined, {
      kind: 'missing-status',
      statement: 'The operation does not declare 200',
      expected: '200',
      actual: successes.length === 0 ? 'no 200' : `${successes.join(', ')} in place of 200`,
      fix: "Declare the response '200'.",
      at: responses?.steps ?? place.steps,
    }),
    ...difference(success === undefined || declared === undefined || declared === 'as expected', {
      kind: 'other-success-schema',
      statement: `The 200 body is not a ${responseSchema}`,
      expected: responseSchema ?? '',
      actual: describeDeclared(declared || 'undeclared'),
      fix: `Write schema: { $ref: '#/components/schemas/${responseSchema}' } below application/json.`,
      at: success?.steps ?? place.steps,
    }),
    ...difference(success === undefined || successes.length === 0, {
      kind: 'further-success',
      statement: 'The operation declares a success beside 200',
      expected: '200 alone',
      actual: successes.join(', '),
      fix: `Remove ${successes.join(', ')} from the responses.`,
      at: responses?.steps ?? place.steps,
    }),
    ...difference(errors.length === 0, {
      kind: 'further-errors',
      statement: 'The operation declares errors beside the six',
      expected: 'none',
      actual: errors.slice(0, mostShown).join(', '),
      fix: `Remove ${errors.slice(0, mostShown).join(', ')} from the responses.`,
      clause: 'further-statuses',
      at: responses?.steps ?? place.steps,
    }),
  ];
}

function compareErrors(
  content: Members,
  { statuses }: Operation,
  described: DescribedOperation,
): readonly Difference[] {
  const responses = reach(content, described.place, 'responses');
  const found = statuses
    .filter((status) => status >= 400)
    .flatMap((status) => {
      const response = follow(content, reach(content, responses, String(status)));
      const covered = responseAt(content, described, status);
      if (response === undefined) {
        return difference(false, {
          kind: 'missing-status',
          statement: `The operation does not declare ${status}`,
          expected: String(status),
          actual:
            covered === undefined
              ? `no ${status}`
              : `only ${covered.steps.at(-1)}, which declares other statuses too`,
          fix: `Declare the response '${status}' with the schema ${errorSchema}.`,
          at: responses?.steps ?? described.place.steps,
        });
      }
      const declared = declaredName(content, response, errorSchema);
      return difference(declared === 'as expected', {
        kind: 'other-error-schema',
        statement: `The body of ${status} is not a ${errorSchema}`,
        expected: errorSchema,
        actual: describeDeclared(declared),
        fix: `Write schema: { $ref: '#/components/schemas/${errorSchema}' } below application/json.`,
        at: response.steps,
      });
    });
  const limited = responseAt(content, described, 429);
  const headers = membersOf(content, limited && reach(content, limited, 'headers'));
  const retryAfter = headers.find(([name]) => name.toLowerCase() === 'retry-after');
  return [
    ...found,
    ...difference(retryAfter === undefined, {
      kind: 'retry-after',
      statement: 'A Retry-After header is declared for 429',
      expected: 'no header Retry-After',
      actual: 'a header Retry-After',
      fix: 'Remove the header Retry-After from the response.',
      at: retryAfter?.[1].steps ?? [],
    }),
  ];
}
