import { type Outside, reasonOf } from '../evidence/outside.ts';

export const targetDied = 'the target stopped answering';

/** A case lacks a prerequisite: it is inconclusive, and never passes. */
export class InconclusiveError extends Error {
  /** What the user can do; undefined where nothing helps. */
  readonly remedy: string | undefined;
  readonly transient: boolean;
  /** What of the run is the reason; undefined for other reasons. */
  readonly outside: Outside | undefined;

  constructor(
    reason: string | Outside,
    options: { readonly remedy?: string; readonly transient?: boolean } = {},
  ) {
    super(typeof reason === 'string' ? reason : reasonOf(reason));
    this.name = 'InconclusiveError';
    this.remedy = options.remedy;
    this.transient = options.transient ?? false;
    this.outside = typeof reason === 'string' ? undefined : reason;
  }
}

/** What an act comes to; undefined where something that it takes is missing. */
export async function unlessInconclusive<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof InconclusiveError) return undefined;
    throw error;
  }
}
