import type { Operation } from '../../spec/contract.ts';
import type { Capture, Json } from '../model/target.ts';
import type { CompiledDocument } from './compile-document.ts';
import { type DescribedOperation, findOperation, parameterName } from './find-operation.ts';
import { follow, membersOf, type Place, reach, rootOf } from './follow-references.ts';
import { isMembers } from './supplied-document.ts';

/**
 * A request body that the document gives as an example, or that its schema's examples and defaults make up. It satisfies
 * its schema, but names whatever its author thought of: whether the target takes it must be tried.
 */
export function suggestedBody(document: CompiledDocument, operation: Operation): Json | undefined {
  const mediaType = document.requestMediaType(operation);
  if (mediaType === undefined) return undefined;
  const schema = reach(document.content, mediaType, 'schema');
  const validate = document.requestValidator(operation);
  const candidates = [...examplesOf(document, mediaType), ...[composed(document, schema, 0)].filter(isGiven)];
  return candidates.find((candidate) => validate === undefined || validate(candidate).ok) as Json | undefined;
}

/** A value that the document gives as an example of a path parameter. */
export function suggestedParameter(
  document: CompiledDocument,
  operation: Operation,
  name: string,
): string | undefined {
  const found = document.find(operation);
  const parameter = found && pathParameter(document, found, parameterName(found, operation, name));
  if (parameter === undefined) return undefined;
  const schema = reach(document.content, parameter, 'schema');
  const validate = schema && document.validatorAt(schema, 'request');
  const candidates = [...examplesOf(document, parameter), ...schemaExamples(document, schema)];
  return candidates
    .filter((value) => (typeof value === 'string' && value !== '') || typeof value === 'number')
    .filter((value) => validate === undefined || validate(value).ok)
    .map(String)[0];
}

/** A query parameter that a document requires. */
export interface RequiredQueryParameter {
  readonly name: string;
  /** Values of its examples and schema, best first. */
  readonly given: readonly unknown[];
  /** Values of its type that mean nothing. */
  readonly madeUp: readonly unknown[];
  /** The query that carries a value; undefined where the schema forbids the value, or a target file cannot hold it. */
  readonly write: (value: unknown) => Readonly<Record<string, string>> | undefined;
}

/** The query parameters that the document requires of an operation. */
export function requiredQuery(
  document: CompiledDocument,
  operation: Operation,
): readonly RequiredQueryParameter[] {
  const { content } = document;
  const described = document.find(operation);
  const parameters = new Map<string, Place>();
  // An operation's own parameter replaces that of the path.
  for (const holder of [described?.pathItem, described?.place]) {
    for (const [, listed] of membersOf(content, reach(content, holder, 'parameters'))) {
      const parameter = follow(content, listed);
      if (parameter === undefined || !isMembers(parameter.value) || parameter.value['in'] !== 'query')
        continue;
      parameters.set(String(parameter.value['name']), parameter);
    }
  }
  return [...parameters]
    .filter(([, parameter]) => reach(content, parameter, 'required')?.value === true)
    .map(([name, parameter]) => {
      const mediaType = membersOf(content, reach(content, parameter, 'content'))[0]?.[1];
      const schema = reach(content, mediaType ?? parameter, 'schema');
      const validate = schema && document.validatorAt(schema, 'request');
      const inSchema = schemaExamples(document, schema);
      return {
        name,
        given: [
          ...[parameter, ...(mediaType === undefined ? [] : [mediaType])].flatMap((holder) =>
            examplesOf(document, holder),
          ),
          ...(inSchema.length > 0 ? inSchema : [composed(document, schema, 0)].filter(isGiven)),
        ],
        madeUp: madeUp(document, schema, 0),
        write: (value) => {
          if (validate !== undefined && !validate(value).ok) return undefined;
          if (mediaType !== undefined) return { [name]: JSON.stringify(value) };
          return writeParameter(document, parameter, name, value);
        },
      };
    });
}

/** The separators of the styles that write a list into one value. */
const separators: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' };

function writeParameter(
  { content }: CompiledDocument,
  parameter: Place,
  name: string,
  value: unknown,
): Readonly<Record<string, string>> | undefined {
  const style = String(reach(content, parameter, 'style')?.value ?? 'form');
  const explode = reach(content, parameter, 'explode')?.value ?? style === 'form';
  const separator = separators[style] ?? ',';
  const scalars = (values: readonly unknown[]): readonly string[] | undefined =>
    values.every(isScalarValue) ? values.map(String) : undefined;
  if (isScalarValue(value)) return { [name]: String(value) };
  if (Array.isArray(value)) {
    const items = scalars(value);
    // A target file holds each name once.
    if (items === undefined || items.length === 0 || (explode === true && items.length > 1)) return undefined;
    return { [name]: items.join(separator) };
  }
  if (!isMembers(value)) return undefined;
  const entries = Object.entries(value);
  const texts = scalars(entries.map(([, member]) => member));
  if (texts === undefined || entries.length === 0) return undefined;
  if (style !== 'deepObject' && explode !== true)
    return { [name]: entries.flatMap(([key], at) => [key, texts[at]]).join(separator) };
  return Object.fromEntries(
    entries.map(([key], at) => [style === 'deepObject' ? `${name}[${key}]` : key, texts[at] ?? '']),
  );
}

function isScalarValue(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Plain values of the types, the last to be taken. */
function madeUp(document: CompiledDocument, schema: Place | undefined, depth: number): readonly unknown[] {
  const { content } = document;
  const type = reach(content, schema, 'type')?.value;
  const [named] = [type].flat().filter((one) => one !== 'null');
  if (named === 'array' && depth < deepestComposition) {
    const items = reach(content, schema, 'items');
    return [...schemaExamples(document, items), ...madeUp(document, items, depth + 1)].map((item) => [item]);
  }
  const values: Readonly<Record<string, unknown>> = {
    string: 'conformance',
    integer: 1,
    number: 1,
    boolean: true,
  };
  return Object.hasOwn(values, String(named)) ? [values[String(named)]] : [];
}

/** Where a link of the document says that the value of a path parameter comes from. */
export function suggestedCapture(
  document: CompiledDocument,
  operations: readonly Operation[],
  name: string,
): Capture | undefined {
  for (const source of operations) {
    const described = document.find(source);
    if (described === undefined) continue;
    const success = reach(document.content, described.place, 'responses', '200');
    for (const [, link] of membersOf(document.content, reach(document.content, success, 'links'))) {
      const pointer = linkedPointer(document, operations, link, name);
      if (pointer !== undefined) return { from: source.id, pointer };
    }
  }
  return undefined;
}

function linkedPointer(
  document: CompiledDocument,
  operations: readonly Operation[],
  link: Place,
  name: string,
): string | undefined {
  const target = linkTarget(document, link);
  if (target === undefined) return undefined;
  const operation = operations.find(
    (one) => one.pathParameters.includes(name) && findOperation([target], one) !== undefined,
  );
  const theirs = operation && parameterName(target, operation, name);
  if (theirs === undefined) return undefined;
  for (const key of [theirs, `path.${theirs}`]) {
    const expression = reach(document.content, link, 'parameters', key)?.value;
    // Braces are for expressions within a text; some authors write them around a whole one too.
    const pointer = /^\{?\$response\.body#(\/[^{}]*)\}?$/.exec(String(expression))?.[1];
    if (pointer !== undefined) return pointer;
  }
  return undefined;
}

function linkTarget(document: CompiledDocument, link: Place): DescribedOperation | undefined {
  const id = reach(document.content, link, 'operationId')?.value;
  const reference = reach(document.content, link, 'operationRef')?.value;
  if (typeof id === 'string') {
    return document.operations.find((one) => reach(document.content, one.place, 'operationId')?.value === id);
  }
  if (typeof reference !== 'string') return undefined;
  const place = follow(document.content, { ...rootOf(document.content), value: { $ref: reference } });
  return document.operations.find((one) => one.place.value === place?.value);
}

/** A path parameter of an operation, its own or that of the path. */
export function pathParameter(
  document: CompiledDocument,
  described: DescribedOperation,
  name: string | undefined,
): Place | undefined {
  for (const holder of [described.place, described.pathItem]) {
    for (const [, listed] of membersOf(document.content, reach(document.content, holder, 'parameters'))) {
      const parameter = follow(document.content, listed);
      if (parameter === undefined || !isMembers(parameter.value)) continue;
      if (parameter.value['in'] === 'path' && parameter.value['name'] === name) return parameter;
    }
  }
  return undefined;
}

/** The examples beside a schema: `example`, then those of `examples`. */
function examplesOf(document: CompiledDocument, holder: Place): readonly unknown[] {
  const { content } = document;
  const single = reach(content, holder, 'example')?.value;
  const named = membersOf(content, reach(content, holder, 'examples')).map(
    ([, example]) => reach(content, example, 'value')?.value,
  );
  return [single, ...named].filter(isGiven);
}

/** The examples within a schema, the values that it allows included. */
export function schemaExamples(document: CompiledDocument, schema: Place | undefined): readonly unknown[] {
  const { content } = document;
  const values = (place: Place | undefined): readonly unknown[] =>
    Array.isArray(place?.value) ? place.value : [];
  return [
    reach(content, schema, 'example')?.value,
    ...values(reach(content, schema, 'examples')),
    reach(content, schema, 'default')?.value,
    reach(content, schema, 'const')?.value,
    ...values(reach(content, schema, 'enum')),
  ].filter(isGiven);
}

const deepestComposition = 12;

/** A value put together from the examples within a schema; undefined where a required part has none. */
function composed(document: CompiledDocument, schema: Place | undefined, depth: number): unknown {
  const { content } = document;
  if (schema === undefined || depth > deepestComposition) return undefined;
  const [given] = schemaExamples(document, schema);
  if (given !== undefined) return given;
  const properties = new Map<string, Place>();
  const required = new Set<string>();
  const parts = [schema, ...membersOf(content, reach(content, schema, 'allOf')).map(([, part]) => part)];
  for (const part of parts) {
    for (const [name, property] of membersOf(content, reach(content, part, 'properties'))) {
      properties.set(name, property);
    }
    for (const [, name] of membersOf(content, reach(content, part, 'required')))
      required.add(String(name.value));
  }
  if (properties.size === 0) {
    const item = composed(document, reach(content, schema, 'items'), depth + 1);
    return item === undefined ? undefined : [item];
  }
  const body: Record<string, unknown> = {};
  for (const name of required) {
    const value = composed(document, properties.get(name), depth + 1);
    if (value !== undefined) body[name] = value;
    else if (reach(content, properties.get(name), 'readOnly')?.value !== true) return undefined;
  }
  return body;
}

function isGiven(value: unknown): boolean {
  return value !== undefined;
}
