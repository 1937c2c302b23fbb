/** Why a case could not go on that was under way when the target died. */
export const targetDied = 'the target stopped answering';

/** Something that a case needs cannot be had: the case is inconclusive, never passed. */
export class InconclusiveError extends Error {
  /** What to add or to do; undefined where nothing helps. */
  readonly remedy: string | undefined;
  /** Another try may fare better. */
  readonly transient: boolean;

  constructor(reason: string, options: { readonly remedy?: string; readonly transient?: boolean } = {}) {
    super(reason);
    this.name = 'CannotJudge';
    this.remedy = options.remedy;
    this.transient = options.transient ?? false;
  }
}
