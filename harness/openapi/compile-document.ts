import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { Operation } from '../../spec/contract.ts';
import { loadAjv } from '../../spec/load-ajv.ts';
import { isJsonMediaType } from '../evidence/answer.ts';
import { type LinearPattern, linearPattern } from '../linear-pattern.ts';
import type { Members, OpenApiDocument } from '../model/supplied-document.ts';
import { countValidations, TooManyValidations } from './count-validations.ts';
import { exactlyOne } from './exactly-one.ts';
import { explainErrors } from './explain-errors.ts';
import { type DescribedOperation, describedOperations, findOperation, type Route } from './find-operation.ts';
import { follow, leadsNowhere, membersOf, type Place, reach, rootOf } from './follow-references.ts';
import { assertedFormats } from './formats.ts';
import { fragmentOf, pointerOf, type Steps } from './json-pointers.ts';
import { type Direction, prepareSchemas } from './prepare-schemas.ts';
import { isMembers } from './supplied-document.ts';
import { explodes, uncheckedParts } from './unchecked-parts.ts';

/** Whether a value satisfies a schema, and if not, what is wrong with it. */
export type SchemaVerdict =
  | { readonly ok: true; readonly unfinished?: true }
  | { readonly ok: false; readonly errors: readonly string[] };

/** Validates one value against one schema. */
export interface SchemaValidator {
  (value: unknown): SchemaVerdict;
  /** Parts of the schema that it cannot check; values that satisfy the rest are accepted. */
  readonly unchecked?: readonly string[];
}

/** A schema of the document that cannot be used. */
export interface UnusableSchema {
  readonly at: Steps;
  readonly reason: string;
}

/** Facts about an operation that a validation needs. */
type Described = Route & Pick<Operation, 'responseSchema' | 'requestSchema'>;

const base = 'oas:/document';
const errorSchema = 'PublicErrorResponse';

const compiled = new WeakMap<OpenApiDocument, CompiledDocument>();

/** The document, ready for validation; compiled once per document and thread, each schema at its first use. */
export function compileDocument(document: OpenApiDocument): CompiledDocument {
  const known = compiled.get(document);
  if (known !== undefined) return known;
  const made = new CompiledDocument(document);
  compiled.set(document, made);
  return made;
}

/**
 * The schemas of a document by operation. Where a validator is undefined nothing is known of the body: the operation or
 * the schema is not described, or any value satisfies it.
 */
export class CompiledDocument {
  readonly content: Members;
  readonly operations: readonly DescribedOperation[];
  readonly #version: string;
  readonly #ajv = new Map<Direction, Ajv2020>();
  readonly #validators = new Map<string, SchemaValidator | undefined>();
  readonly #unusable = new Map<string, UnusableSchema>();

  constructor({ content, version }: OpenApiDocument) {
    this.content = content;
    this.operations = describedOperations(content);
    this.#version = version;
  }

  /** How the document describes an operation; undefined where it does not. */
  find(route: Route): DescribedOperation | undefined {
    return findOperation(this.operations, route);
  }

  /** Validates a body with this status and media type; falls back on the contract's schema name. */
  responseValidator(
    operation: Described,
    status: number,
    mediaType: string | undefined,
  ): SchemaValidator | undefined {
    if (status >= 400) return this.errorValidator(operation, status, mediaType);
    const declared = this.#responseSchema(operation, status, mediaType);
    const validator = declared && this.#validatorOf(declared, 'response');
    if (validator !== undefined || status !== 200) return validator;
    return this.#namedValidator(operation.responseSchema, 'response');
  }

  /** Validates an error body against the operation's declaration, else against the component PublicErrorResponse. */
  errorValidator(
    operation: Described,
    status: number,
    mediaType: string | undefined,
  ): SchemaValidator | undefined {
    const declared = this.#responseSchema(operation, status, mediaType);
    return (
      (declared && this.#validatorOf(declared, 'response')) ?? this.#namedValidator(errorSchema, 'response')
    );
  }

  /** Validates a request body. */
  requestValidator(operation: Described): SchemaValidator | undefined {
    const declared = this.requestSchema(operation);
    return (
      (declared && this.#validatorOf(declared, 'request')) ??
      this.#namedValidator(operation.requestSchema, 'request')
    );
  }

  /** Validates a value against the schema at a place. */
  validatorAt(place: Place, direction: Direction): SchemaValidator | undefined {
    return this.#validatorOf(place, direction);
  }

  /** The schema of a request body of JSON. */
  requestSchema(operation: Described): Place | undefined {
    return reach(this.content, this.requestMediaType(operation), 'schema');
  }

  /** The request body's media type object, where examples stand. */
  requestMediaType(operation: Described): Place | undefined {
    const found = this.find(operation);
    return this.#mediaType(
      found && reach(this.content, found.place, 'requestBody', 'content'),
      'application/json',
    );
  }

  /** Whether the members of PublicErrorResponse are known, so that error bodies need not be compared with each other. */
  get errorFieldsAreKnown(): boolean {
    const component = reach(this.content, rootOf(this.content), 'components', 'schemas', errorSchema);
    return component !== undefined && namesFields(this.content, component, new Set());
  }

  /** The schemas that were asked for and could not be used. */
  get unusable(): readonly UnusableSchema[] {
    return [...this.#unusable.values()];
  }

  /** Asks for every schema of these operations, so that `unusable` is complete for them. */
  compileAll(operations: readonly Described[]): void {
    for (const operation of operations) {
      this.requestValidator(operation);
      const found = this.find(operation);
      for (const [, response] of membersOf(
        this.content,
        found && reach(this.content, found.place, 'responses'),
      )) {
        for (const [, mediaType] of membersOf(this.content, reach(this.content, response, 'content'))) {
          const schema = reach(this.content, mediaType, 'schema');
          if (schema !== undefined) this.#validatorOf(schema, 'response');
        }
      }
    }
  }

  #responseSchema(operation: Described, status: number, mediaType: string | undefined): Place | undefined {
    const found = this.find(operation);
    const response = found && responseAt(this.content, found, status);
    const content = response && reach(this.content, response, 'content');
    return reach(this.content, this.#mediaType(content, mediaType), 'schema');
  }

  /** The entry for a media type: the contract shows none, so that any JSON is as good as the one that is declared. */
  #mediaType(content: Place | undefined, mediaType: string | undefined): Place | undefined {
    const wanted = essenceOf(mediaType ?? 'application/json');
    const entries = membersOf(this.content, content);
    const named = (name: string): Place | undefined =>
      entries.find(([entry]) => essenceOf(entry) === name)?.[1];
    const exact = named(wanted) ?? named(`${wanted.split('/', 1)[0]}/*`) ?? named('*/*');
    if (exact !== undefined) return exact;
    const json = entries.filter(([entry]) => isJsonMediaType(entry));
    return json.length === 1 && isJsonMediaType(wanted) ? json[0]?.[1] : undefined;
  }

  #namedValidator(name: string | undefined, direction: Direction): SchemaValidator | undefined {
    if (name === undefined) return undefined;
    const schema = reach(this.content, rootOf(this.content), 'components', 'schemas', name);
    return schema && this.#validatorOf(schema, direction);
  }

  #validatorOf(place: Place, direction: Direction): SchemaValidator | undefined {
    const key = `${direction} ${pointerOf(place.steps)}`;
    if (!this.#validators.has(key)) this.#validators.set(key, this.#compile(place, direction));
    return this.#validators.get(key);
  }

  #compile(place: Place, direction: Direction): SchemaValidator | undefined {
    if (isOpen(this.content, place, new Map())) return undefined;
    const at = pointerOf(place.steps);
    try {
      if (explodes(this.content, place)) throw new TooManyValidations();
      const validate = this.#ajvFor(direction).compile({ $ref: `${base}#${fragmentOf(place.steps)}` });
      const validator = (value: unknown): SchemaVerdict => {
        try {
          countValidations.restart();
          return validate(value) ? { ok: true } : { ok: false, errors: explainErrors(validate.errors ?? []) };
        } catch (error) {
          if (error instanceof TooManyValidations || error instanceof RangeError)
            return { ok: true, unfinished: true };
          throw error;
        }
      };
      return Object.assign(validator, { unchecked: uncheckedParts(this.content, place) });
    } catch (error) {
      this.#unusable.set(at, { at: place.steps, reason: reasonOf(this.content, place, error) });
      return undefined;
    }
  }

  #ajvFor(direction: Direction): Ajv2020 {
    const known = this.#ajv.get(direction);
    if (known !== undefined) return known;
    const ajv = new (loadAjv())({
      strict: false,
      allErrors: true,
      validateSchema: false,
      logger: false,
      // A required member called `constructor` must not be found on the prototype.
      ownProperties: true,
      // 0.07 is a multiple of 0.01, whatever binary fractions say.
      multipleOfPrecision: 4,
      formats: assertedFormats,
      code: { regExp: lenientRegExp },
    });
    ajv.addKeyword(countValidations.keyword).addKeyword(exactlyOne(base));
    ajv.addSchema(prepareSchemas(this.content, this.#version, direction), base);
    this.#ajv.set(direction, ajv);
    return ajv;
  }
}

/** The response for a status: its own, that of its class, or for errors the default. */
export function responseAt(content: Members, found: DescribedOperation, status: number): Place | undefined {
  const responses = reach(content, found.place, 'responses');
  const hundred = String(status).charAt(0);
  return (
    reach(content, responses, String(status)) ??
    reach(content, responses, `${hundred}XX`) ??
    reach(content, responses, `${hundred}xx`) ??
    (status >= 400 ? reach(content, responses, 'default') : undefined)
  );
}

function essenceOf(mediaType: string): string {
  return mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function reasonOf(content: Members, place: Place, error: unknown): string {
  if (error instanceof TooManyValidations) {
    return 'the schema combines so many others that one body would be validated tens of thousands of times; combine each one once';
  }
  if (error instanceof RangeError) {
    return leadsNowhere(content, place)
      ? 'the schema refers to itself without end'
      : 'the schema leads through too many others to be compiled; join some of them';
  }
  const { message } = error as Error;
  return (message.split('\n', 1)[0] ?? message).replaceAll(base, '');
}

// A pattern that cannot be matched in linear time constrains nothing, as it could stop the run; `unchecked` names it.
const lenientRegExp = Object.assign(
  (pattern: string): LinearPattern => linearPattern(pattern) ?? { test: () => true },
  { code: 'lenientRegExp' },
);

/** Keywords that say something about a value; all others only describe. */
const assertions = new Set([
  'type',
  'enum',
  'const',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'contains',
  'items',
  'prefixItems',
  'maxProperties',
  'minProperties',
  'required',
  'properties',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  'propertyNames',
  'unevaluatedItems',
  'not',
  'if',
  'oneOf',
  '$dynamicRef',
  '$recursiveRef',
]);

function isOpen(content: Members, place: Place, known: Map<unknown, boolean>): boolean {
  const { value } = place;
  if (!isMembers(value)) return value === true;
  const found = known.get(value);
  if (found !== undefined) return found;
  // What refers to itself adds nothing to itself.
  known.set(value, true);
  const isOpenNow = isOpenSchema(content, place, value, known);
  known.set(value, isOpenNow);
  return isOpenNow;
}

function isOpenSchema(content: Members, place: Place, value: Members, known: Map<unknown, boolean>): boolean {
  const open = (part: Place | undefined): boolean => part !== undefined && isOpen(content, part, known);
  if (Object.keys(value).some((keyword) => assertions.has(keyword))) return false;
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
    if (Object.hasOwn(value, keyword) && !open(reach(content, place, keyword))) return false;
  }
  if (typeof value['$ref'] === 'string' && !open(follow(content, place))) return false;
  const parts = (keyword: string): readonly Place[] =>
    membersOf(content, Object.hasOwn(value, keyword) ? reach(content, place, keyword) : undefined).map(
      ([, part]) => part,
    );
  if (!parts('allOf').every(open)) return false;
  const alternatives = parts('anyOf');
  return alternatives.length === 0 || alternatives.some(open);
}

function namesFields(content: Members, place: Place, visited: Set<string>): boolean {
  const found = follow(content, place);
  if (found === undefined || !isMembers(found.value) || visited.has(pointerOf(found.steps))) return false;
  visited.add(pointerOf(found.steps));
  if (membersOf(content, reach(content, found, 'properties')).length > 0) return true;
  if (membersOf(content, reach(content, found, 'required')).length > 0) return true;
  return ['allOf', 'anyOf', 'oneOf'].some((keyword) =>
    membersOf(content, reach(content, found, keyword)).some(([, part]) =>
      namesFields(content, part, visited),
    ),
  );
}
