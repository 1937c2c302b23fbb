import type { Operation } from '../../spec/contract.ts';
import { isJsonMediaType } from '../evidence/answer.ts';
import { keptAt } from '../kept-at.ts';
import type { OpenApiDocument } from '../model/supplied-document.ts';
import { type SchemaValidator, schemaCompiler, type UnusableSchema } from './compile-schema.ts';
import { type DescribedOperation, describedOperations, findOperation, type Route } from './find-operation.ts';
import { Place } from './place.ts';
import { type Direction, normaliseDocument } from './prepare-schemas.ts';
import { isOpen, requiredMembers } from './schema-shape.ts';

/** The facts about an operation that validation needs. */
type Described = Route & Pick<Operation, 'responseSchema' | 'requestSchema'>;

/** The schema of every error body. */
export const errorSchema = 'PublicErrorResponse';

const compiled = new WeakMap<OpenApiDocument, CompiledDocument>();

/** The document, ready for validation; compiled once per document and thread, each schema at its first use. */
export function compileDocument(document: OpenApiDocument): CompiledDocument {
  return keptAt(compiled, document, () => new CompiledDocument(document));
}

/**
 * The schemas of a document by operation. A validator is undefined where the document says nothing about the body: it does
 * not describe the operation or the schema, or any value satisfies the schema.
 */
export class CompiledDocument {
  readonly root: Place;
  readonly operations: readonly DescribedOperation[];
  /** The requested schemas that cannot be used, by their pointers. */
  readonly unusable: Map<string, UnusableSchema> = new Map();
  readonly validatorAt: ReturnType<typeof schemaCompiler>;

  constructor({ content, version }: OpenApiDocument) {
    const normalised = normaliseDocument(content, version);
    this.root = Place.rootOf(normalised);
    this.operations = describedOperations(this.root);
    this.validatorAt = schemaCompiler(normalised, this.unusable);
  }

  find(route: Route): DescribedOperation | undefined {
    return findOperation(this.operations, route);
  }

  /** Validates a body with this status and media type; falls back on the contract's schema name. */
  responseValidator(
    operation: Described,
    status: number,
    mediaType: string | undefined,
  ): SchemaValidator | undefined {
    const described = this.find(operation);
    const content = described && responseAt(described, status)?.at('content');
    const declared = this.validatorAt(mediaTypeIn(content, mediaType)?.at('schema'), 'response');
    if (declared !== undefined) return declared;
    if (status >= 400) return this.#namedValidator(errorSchema, 'response');
    return status === 200 ? this.#namedValidator(operation.responseSchema, 'response') : undefined;
  }

  requestValidator(operation: Described): SchemaValidator | undefined {
    return (
      this.validatorAt(this.requestSchema(operation), 'request') ??
      this.#namedValidator(operation.requestSchema, 'request')
    );
  }

  /** The schema of a request body of JSON. */
  requestSchema(operation: Described): Place | undefined {
    return this.requestMediaType(operation)?.at('schema');
  }

  /** The request body's media type object, where examples stand. */
  requestMediaType(operation: Described): Place | undefined {
    return mediaTypeIn(this.find(operation)?.place.at('requestBody', 'content'), undefined);
  }

  /** Whether the errors of these statuses have required members, so that they need not be compared. */
  requiresErrorMembers(operation: Route, statuses: readonly number[]): boolean {
    const described = this.find(operation);
    const declared = statuses
      .flatMap((status) => (described && responseAt(described, status)?.items('content')) ?? [])
      .map((mediaType) => mediaType.at('schema'))
      .filter((schema) => schema && !isOpen(schema));
    return [this.#named(errorSchema), ...declared].every(
      (schema) => schema !== undefined && requiredMembers(schema).size > 0,
    );
  }

  /** Compiles every schema of these operations, so that `unusable` is complete for them. */
  compileAll(operations: readonly Described[]): void {
    for (const operation of operations) {
      this.requestValidator(operation);
      const responses = this.find(operation)?.place.items('responses') ?? [];
      for (const mediaType of responses.flatMap((response) => response.items('content')))
        this.validatorAt(mediaType.at('schema'), 'response');
    }
  }

  #named(name: string): Place | undefined {
    return this.root.at('components', 'schemas', name);
  }

  #namedValidator(name: string | undefined, direction: Direction): SchemaValidator | undefined {
    return name === undefined ? undefined : this.validatorAt(this.#named(name), direction);
  }
}

/** The response for a status: its own, that of its class, or for errors the default. */
export function responseAt(described: DescribedOperation, status: number): Place | undefined {
  const responses = described.place.at('responses');
  const hundred = String(status).charAt(0);
  return (
    responses?.at(String(status)) ??
    responses?.at(`${hundred}XX`) ??
    responses?.at(`${hundred}xx`) ??
    (status >= 400 ? responses?.at('default') : undefined)
  );
}

/** The entry for a media type. The contract names none, so any JSON type stands for the only one that is declared. */
function mediaTypeIn(content: Place | undefined, mediaType = 'application/json'): Place | undefined {
  const wanted = essenceOf(mediaType);
  const entries = content?.entries() ?? [];
  const named = (name: string): Place | undefined =>
    entries.find(([entry]) => essenceOf(entry) === name)?.[1];
  const exact = named(wanted) ?? named(`${wanted.split('/', 1)[0]}/*`) ?? named('*/*');
  if (exact !== undefined) return exact;
  const json = entries.filter(([entry]) => isJsonMediaType(entry));
  return json.length === 1 && isJsonMediaType(wanted) ? json[0]?.[1] : undefined;
}

function essenceOf(mediaType: string): string {
  return mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
