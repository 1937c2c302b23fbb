/** A value that was found on the target and shown to work. */
export interface Discovered {
  readonly operation: string;
  readonly name: string;
  readonly value: string;
  /** The query parameters by name, where `value` is a query. */
  readonly query?: Readonly<Record<string, string>>;
  /** The operation in whose answer it was found, or the supplied document. */
  readonly from: string;
}

/** Stands for an operation where the supplied document gave the value. */
export const suppliedDocument = 'the supplied document';
