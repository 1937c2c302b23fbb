import type { Contract, Operation } from '../../spec/contract.ts';
import type { DocumentDeviation, Members, OpenApiDocument } from '../model/supplied-document.ts';
import { absentCapability } from './absent-capabilities.ts';
import { compareSecurity, oauthSchemes } from './compare-security.ts';
import { type CompiledDocument, compileDocument, responseAt } from './compile-document.ts';
import { type Difference, difference } from './deviation.ts';
import { atPath, type DescribedOperation, shapeOf } from './find-operation.ts';
import { follow, membersOf, reach, rootOf } from './follow-references.ts';
import { declaredName, describeDeclared } from './schema-names.ts';
import { pathParameter } from './suggest-values.ts';
import { isMembers } from './supplied-document.ts';

/** Statuses of errors that every operation declares. */
const errorSchema = 'PublicErrorResponse';

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
      statement: 'the schemas of the document are valid',
      expected: `a schema at ${at}`,
      actual: reason,
      at: at.split('/').slice(1),
    })),
  ];
  return [...whole.map((found) => ({ operation: undefined, ...found })), ...operations];
}

function compareVersion({ version, defects }: OpenApiDocument): readonly Difference[] {
  return [
    ...difference(/^3\.1\.\d+(?:-\S+)?$/.test(version), {
      statement: 'the document is written in OpenAPI 3.1',
      expected: 'openapi: 3.1.x',
      actual: `openapi: ${version}`,
      at: ['openapi'],
    }),
    ...difference(defects.length === 0, {
      statement: 'the document is built as OpenAPI 3.1 asks for',
      expected: 'a valid OpenAPI document',
      actual: defects.slice(0, 3).join('; '),
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
    ...(webhooks.length > 0 ? [notOffered('webhook subscriptions', webhooks.join(', '), ['webhooks'])] : []),
  ];
}

function notOffered(capability: string, actual: string, at: readonly string[]): Difference {
  return { statement: `the document offers no ${capability}`, expected: 'none', actual, at };
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
    statement: 'the document describes the operation',
    expected: `${operation.method} ${operation.path}`,
    actual:
      elsewhere === undefined
        ? 'no such operation'
        : `${elsewhere.method} ${elsewhere.fullPaths[0] ?? elsewhere.path}`,
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
    statement: 'the operation has the operationId of the contract',
    expected: operation.id,
    actual: id === undefined ? 'no operationId' : String(id),
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
        statement: 'the path parameters are strings',
        expected: `the path parameter ${name} as a string`,
        actual: parameter === undefined ? 'not declared' : `of type ${types.join(', ')}`,
        at: parameter?.steps ?? described.place.steps,
      }),
    );
  }
  if (operation.idIsOurs) return found;
  for (const holder of [described.place, described.pathItem]) {
    for (const [, listed] of membersOf(content, reach(content, holder, 'parameters'))) {
      const parameter = follow(content, listed)?.value;
      if (!isMembers(parameter) || parameter['in'] === 'path') continue;
      const name = String(parameter['name']);
      if (parameter['in'] === 'header' && notParameters.has(name.toLowerCase())) continue;
      found.push({
        statement: 'the operation declares no query or header parameters',
        expected: 'none',
        actual: `${String(parameter['in'])} parameter ${name}`,
        at: listed.steps,
      });
    }
  }
  return found;
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
      statement: 'the operation takes no request body',
      expected: 'no requestBody',
      actual: 'a requestBody',
      at,
    });
  }
  const declared = declaredName(content, body, requestSchema);
  return [
    ...difference(body !== undefined && reach(content, body, 'required')?.value === true, {
      statement: 'the operation requires a request body',
      expected: 'requestBody with required: true',
      actual: body === undefined ? 'no requestBody' : 'an optional requestBody',
      at,
    }),
    ...difference(body === undefined || declared === 'as expected', {
      statement: `the request body is a ${requestSchema}`,
      expected: requestSchema,
      actual: describeDeclared(declared),
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
    // Interim answers come before the one that counts; the default and 4XX add nothing where all six stand.
    .filter((status) => /^[235]|^4\d\d$/.test(status) && !known.has(status));
  const { responseSchema } = operation;
  const declared = responseSchema && declaredName(content, success, responseSchema);
  return [
    ...difference(success !== undefined, {
      statement: 'the operation declares 200',
      expected: '200',
      actual: 'no 200',
      at: responses?.steps ?? place.steps,
    }),
    ...difference(success === undefined || declared === undefined || declared === 'as expected', {
      statement: `the 200 body is a ${responseSchema}`,
      expected: responseSchema ?? '',
      actual: describeDeclared(declared || 'undeclared'),
      at: success?.steps ?? place.steps,
    }),
    ...difference(others.length === 0, {
      statement: 'the operation declares no status beside 200 and the six errors',
      expected: 'none',
      actual: others.join(', '),
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
          statement: `the operation declares ${status}`,
          expected: String(status),
          actual:
            covered === undefined
              ? `no ${status}`
              : `only ${covered.steps.at(-1)}, which declares other statuses too`,
          at: responses?.steps ?? described.place.steps,
        });
      }
      const declared = declaredName(content, response, errorSchema);
      return difference(declared === 'as expected', {
        statement: `the body of ${status} is a ${errorSchema}`,
        expected: errorSchema,
        actual: describeDeclared(declared),
        at: response.steps,
      });
    });
  const limited = responseAt(content, described, 429);
  const headers = membersOf(content, limited && reach(content, limited, 'headers'));
  const retryAfter = headers.find(([name]) => name.toLowerCase() === 'retry-after');
  return [
    ...found,
    ...difference(retryAfter === undefined, {
      statement: 'no Retry-After is declared for 429',
      expected: 'no header Retry-After',
      actual: 'a header Retry-After',
      at: retryAfter?.[1].steps ?? [],
    }),
  ];
}
