import type { DocumentDeviation } from './deviation.ts';

/** A JSON object whose members nobody has looked at yet. */
export type Members = Readonly<Record<string, unknown>>;

/** An OpenAPI document, complete in itself. */
export interface OpenApiDocument {
  /** File or URL as the user gave it, without credentials and query. */
  readonly source: string;
  /** `sha256:` and 64 hexadecimal digits over `content`, whatever the document was written in. */
  readonly digest: string;
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

/** The member of the content below which the files are kept that a document refers to. */
export const attachedDocuments = 'x-documents';

/** Whether a value is an object with members. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the document is written in OpenAPI 3.0, whose schemas differ from JSON Schema. */
export function isVersion30(version: string): boolean {
  return version.startsWith('3.0');
}
