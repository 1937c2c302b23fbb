import type { Steps } from './json-pointers.ts';

/** One thing in which a document differs from the contract. */
export interface DocumentDeviation {
  /** operationId of the operation that is described otherwise; undefined where the document as a whole is. */
  readonly operation: string | undefined;
  /** What ought to hold, such as `the operation declares 404 with a PublicErrorResponse`. */
  readonly statement: string;
  readonly expected: string;
  readonly actual: string;
  /** Where in the document, as steps of a JSON Pointer. */
  readonly at: Steps;
}

/** A deviation before it is known whose it is. */
export type Difference = Omit<DocumentDeviation, 'operation'>;

/** The difference between what is expected and what is there; none where they agree. */
export function difference(
  holds: boolean,
  parts: {
    readonly statement: string;
    readonly expected: string;
    readonly actual: string;
    readonly at: Steps;
  },
): readonly Difference[] {
  return holds ? [] : [parts];
}
