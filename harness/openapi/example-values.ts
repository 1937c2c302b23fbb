import type { Operation } from '../../spec/contract.ts';
import type { Capture, Json } from '../model/target.ts';
import type { CompiledDocument } from './compile-document.ts';
import { type DescribedOperation, findOperation, parameterName, pathParameter } from './find-operation.ts';
import { isMembers, type Place } from './place.ts';
import { SchemaRules } from './schema-rules.ts';

/**
 * A request body from the examples of the document, or put together from examples and defaults in its schema. It satisfies
 * its schema, but may name things that the target does not have: only a call shows whether the target accepts it.
 */
export function suggestedBody(document: CompiledDocument, operation: Operation): Json | undefined {
  const mediaType = document.requestMediaType(operation);
  if (mediaType === undefined) return undefined;
  const validate = document.requestValidator(operation);
  const candidates = [...examplesOf(mediaType), exampleIn(mediaType.at('schema'))].filter(isGiven);
  return candidates.find((candidate) => validate?.(candidate).ok !== false) as Json | undefined;
}

/** A request body invented from its schema, whose values mean nothing: nor does a refusal of it. */
export function madeUpBody(document: CompiledDocument, operation: Operation): Json | undefined {
  const body = inventedFor(document.requestSchema(operation), makeUp);
  return body !== undefined && document.requestValidator(operation)?.(body).ok ? (body as Json) : undefined;
}

/** The document's first valid example of a path parameter. */
export function suggestedParameter(
  document: CompiledDocument,
  operation: Operation,
  name: string,
): string | undefined {
  const found = document.find(operation);
  const parameter = found && pathParameter(found, parameterName(found, operation, name));
  if (parameter === undefined) return undefined;
  const schema = parameter.at('schema');
  const validate = document.validatorAt(schema, 'request');
  return [...examplesOf(parameter), ...givenIn(schema)]
    .filter((value) => (typeof value === 'string' && value !== '') || typeof value === 'number')
    .filter((value) => validate?.(value).ok !== false)
    .map(String)[0];
}

export interface RequiredQueryParameter {
  readonly name: string;
  /** Values from its examples and schema, best first. */
  readonly given: readonly unknown[];
  readonly madeUp: readonly unknown[];
  /** The query that carries a value; undefined where the schema forbids the value, or a target file cannot hold it. */
  readonly write: (value: unknown) => Readonly<Record<string, string>> | undefined;
}

export function requiredQuery(
  document: CompiledDocument,
  operation: Operation,
): readonly RequiredQueryParameter[] {
  const { pathItem, place } = document.find(operation) ?? {};
  // An operation's own parameter replaces that of the path.
  const parameters = new Map(
    [pathItem, place]
      .flatMap((holder) => holder?.items('parameters') ?? [])
      .flatMap(({ end }) => (end?.read('in') === 'query' ? [[String(end.read('name')), end] as const] : [])),
  );
  return [...parameters]
    .filter(([, parameter]) => parameter.read('required') === true)
    .map(([name, parameter]) => {
      const mediaType = parameter.items('content')[0];
      const schema = (mediaType ?? parameter).at('schema');
      const validate = document.validatorAt(schema, 'request');
      const inSchema = givenIn(schema);
      return {
        name,
        given: [
          ...examplesOf(parameter),
          ...(mediaType === undefined ? [] : examplesOf(mediaType)),
          ...(inSchema.length > 0 ? inSchema : [exampleIn(schema)].filter(isGiven)),
        ],
        madeUp: [inventedFor(schema, composed)].filter(isGiven),
        write: (value) => {
          if (validate?.(value).ok === false) return undefined;
          if (mediaType !== undefined) return { [name]: JSON.stringify(value) };
          return writeParameter(parameter, name, value);
        },
      };
    });
}

/** Separators by the style that writes a list into one value. */
const separators: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' };

function writeParameter(
  parameter: Place,
  name: string,
  value: unknown,
): Readonly<Record<string, string>> | undefined {
  const style = String(parameter.read('style') ?? 'form');
  const explode = parameter.read('explode') ?? style === 'form';
  const separator = separators[style] ?? ',';
  if (isScalar(value)) return { [name]: String(value) };
  if (Array.isArray(value)) {
    // A target file holds each name once.
    if (!value.every(isScalar) || value.length === 0 || (explode === true && value.length > 1))
      return undefined;
    return { [name]: value.map(String).join(separator) };
  }
  const entries = isMembers(value) ? Object.entries(value) : [];
  if (entries.length === 0 || !entries.every(([, member]) => isScalar(member))) return undefined;
  if (style !== 'deepObject' && explode !== true)
    return { [name]: entries.flat().map(String).join(separator) };
  return Object.fromEntries(
    entries.map(([key, member]) => [style === 'deepObject' ? `${name}[${key}]` : key, String(member)]),
  );
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** The examples beside a schema: `example`, then those of `examples`. */
function examplesOf(holder: Place): readonly unknown[] {
  const named = holder.items('examples').map((example) => example.read('value'));
  return [holder.read('example'), ...named].filter(isGiven);
}

function givenIn(schema: Place | undefined): readonly unknown[] {
  return schema === undefined ? [] : new SchemaRules([schema]).given;
}

/** A value put together from the examples within a schema; undefined where a required part has none. */
function exampleIn(schema: Place | undefined): unknown {
  return schema && makeUp(new SchemaRules([schema]), { invents: false, left: mostValues });
}

/** A value for a schema, with invented parts where no example shows any. */
function inventedFor(schema: Place | undefined, make: typeof makeUp): unknown {
  return schema && make(new SchemaRules([schema], 1), { invents: true, left: mostValues });
}

function isGiven(value: unknown): boolean {
  return value !== undefined;
}

const deepest = 12;
const mostValues = 10_000;
const mostItems = 1_000;
const longestText = 100_000;

interface Making {
  /** Whether a value that no example shows is invented. */
  readonly invents: boolean;
  /** How many more values may be made: schemas that contain each other multiply. */
  left: number;
}

/** A value with all required members, from examples where there are any. */
function makeUp(rules: SchemaRules, making: Making, depth = 0): unknown {
  making.left -= 1;
  if (depth > deepest || making.left < 0) return undefined;
  // The parts of an object that is extended have examples of a part only.
  const [given] = [...rules.given, ...(rules.type === 'object' ? [] : rules.givenInParts)];
  return given === undefined ? composed(rules, making, depth) : given;
}

/** The same, without the examples of the schema itself. */
function composed(rules: SchemaRules, making: Making, depth = 0): unknown {
  const { type, properties, items } = rules;
  if (type === 'object' && (making.invents || properties.size > 0)) {
    const body: Record<string, unknown> = {};
    for (const name of rules.required) {
      const property = properties.get(name);
      const value = property && makeUp(property, making, depth + 1);
      if (value !== undefined) body[name] = value;
      else if (!property?.has('readOnly', true)) return undefined;
    }
    return body;
  }
  if (type === 'array' || (items !== undefined && !making.invents)) {
    const item = items && makeUp(items, making, depth + 1);
    const least = Math.max(1, ...rules.numbers('minItems'));
    if (item === undefined) return making.invents ? [] : undefined;
    return least > mostItems ? undefined : Array.from({ length: least }, () => item);
  }
  return making.invents ? scalarOf(rules) : undefined;
}

const byFormat: Readonly<Record<string, string>> = {
  uri: 'https://shop.example/return',
  url: 'https://shop.example/return',
  'uri-reference': 'https://shop.example/return',
  email: 'conformance@shop.example',
  uuid: '5f0c7a52-6f0e-4f6c-9c1b-0d5b7c1f2a34',
  'date-time': '2030-01-01T00:00:00Z',
  date: '2030-01-01',
};

function scalarOf(rules: SchemaRules): unknown {
  switch (rules.type) {
    case 'integer':
    case 'number':
      return [
        ...rules.numbers('minimum'),
        ...rules.numbers('exclusiveMinimum').map((bound) => bound + 1),
        1,
      ][0];
    case 'boolean':
      return true;
    case 'string': {
      const known = rules.all('format').map((format) => byFormat[String(format)])[0];
      if (known !== undefined) return known;
      if (rules.all('pattern').some((pattern) => /https?/.test(String(pattern)))) return byFormat['url'];
      const least = Math.max(0, ...rules.numbers('minLength'));
      if (least > longestText) return undefined;
      return 'conformance'.padEnd(least, '-').slice(0, Math.min(longestText, ...rules.numbers('maxLength')));
    }
    default:
      return undefined;
  }
}

/** The source of a path parameter's value according to a link of the document. */
export function suggestedCapture(
  document: CompiledDocument,
  operations: readonly Operation[],
  name: string,
): Capture | undefined {
  for (const source of operations) {
    for (const link of document.find(source)?.place.items('responses', '200', 'links') ?? []) {
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
  // Braces mark expressions within a text; some authors also write them around a whole expression.
  return [theirs, `path.${theirs}`]
    .map((key) => String(link.read('parameters', key)))
    .map((expression) => /^\{?\$response\.body#(\/[^{}]*)\}?$/.exec(expression)?.[1])
    .find((pointer) => pointer !== undefined);
}

function linkTarget(document: CompiledDocument, link: Place): DescribedOperation | undefined {
  const id = link.read('operationId');
  const reference = link.read('operationRef');
  if (typeof id === 'string')
    return document.operations.find(({ place }) => place.read('operationId') === id);
  if (typeof reference !== 'string') return undefined;
  const target = document.root.refer(reference)?.value;
  return document.operations.find(({ place }) => place.value === target);
}
