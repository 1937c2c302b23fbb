import type { Digest } from './formats.ts';

/** A JSON object whose members nobody has looked at yet. */
export type Members = Readonly<Record<string, unknown>>;

/** An OpenAPI document, complete in itself. */
export interface OpenApiDocument {
  /** File or URL as the user gave it, without credentials and query. */
  readonly source: string;
  /** Over `content`, whatever the document was written in. */
  readonly digest: Digest;
  /** The version of OpenAPI that it says it is written in, such as `3.1.0`. */
  readonly version: string;
  /** What OpenAPI's own schema finds wrong with it; empty too where that could not be asked. */
  readonly defects: readonly string[];
  /** The document; what it refers to in other files stands below `x-documents`, all references are internal. */
  readonly content: Members;
}

/**
 * The platform's own OpenAPI document, held against the contract: plain JSON, so that it can be handed to another thread
 * and be kept beside recorded evidence.
 */
export interface SuppliedDocument extends OpenApiDocument {
  readonly deviations: readonly DocumentDeviation[];
}

/** One thing in which a document differs from the contract. */
export interface DocumentDeviation {
  /** operationId of the operation that is described otherwise; undefined where the document as a whole is. */
  readonly operation: string | undefined;
  /** The defect in kebab-case, the same wherever it is; absent in evidence of earlier versions. */
  readonly kind?: string;
  /** The defect, such as `The operation does not declare 404`. */
  readonly statement: string;
  readonly expected: string;
  readonly actual: string;
  /** What to write instead, as an instruction; absent in evidence of earlier versions. */
  readonly fix?: string;
  /** The clause of the requirement that is violated; absent for the requirement itself. */
  readonly clause?: string;
  /** Where in the document, as steps of a JSON Pointer. */
  readonly at: readonly string[];
}
