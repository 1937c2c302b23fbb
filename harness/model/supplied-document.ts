import type { Digest } from './formats.ts';

/** A JSON object whose members nobody has looked at yet. */
export type Members = Readonly<Record<string, unknown>>;

/** An OpenAPI document, complete in itself. */
export interface OpenApiDocument {
  /** File or URL as the user gave it, without credentials and query. */
  readonly source: string;
  /** Over `content`, regardless of the document's format. */
  readonly digest: Digest;
  /** The version of OpenAPI that it says it is written in, such as `3.1.0`. */
  readonly version: string;
  /** The defects that OpenAPI's own schema finds; also empty if the document could not be validated. */
  readonly defects: readonly string[];
  /** The document; parts from other files are below `x-documents`, and all references are internal. */
  readonly content: Members;
}

/**
 * The platform's own OpenAPI document, compared with the contract: plain JSON, so that it can be passed to another thread
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
  /** The fix, as an instruction; absent in evidence of earlier versions. */
  readonly fix?: string;
  /** The clause of the requirement that is violated; absent for the requirement itself. */
  readonly clause?: string;
  /** The place in the document, as steps of a JSON Pointer. */
  readonly at: readonly string[];
}
