/** Why a case stopped when the target died. */
export const targetDied = 'the target stopped answering';

/** A case lacks a prerequisite: it is inconclusive, and never passes. */
export class InconclusiveError extends Error {
  /** What the user can do; undefined where nothing helps. */
  readonly remedy: string | undefined;
  /** A retry may succeed. */
  readonly transient: boolean;

  constructor(reason: string, options: { readonly remedy?: string; readonly transient?: boolean } = {}) {
    super(reason);
    this.name = 'InconclusiveError';
    this.remedy = options.remedy;
    this.transient = options.transient ?? false;
  }
}
