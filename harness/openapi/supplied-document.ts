import type { Members } from '../model/supplied-document.ts';

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
