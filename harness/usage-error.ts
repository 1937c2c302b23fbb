/** The parts of a message about a user's mistake. */
export interface UsageProblem {
  /** What is wrong. */
  readonly what: string;
  /** File, line and key, or the flag. */
  readonly where?: string;
  /** Why it is refused. */
  readonly why?: string;
  /** What to do. */
  readonly remedy?: string;
}

/** A mistake of the user, answered with exit code 2 and without a stack trace. */
export class UsageError extends Error {
  readonly problem: UsageProblem;

  constructor(problem: UsageProblem) {
    const first = problem.where === undefined ? problem.what : `${problem.where}: ${problem.what}`;
    super([first, problem.why, problem.remedy].filter((line) => line !== undefined).join('\n  '));
    this.name = 'UsageError';
    this.problem = problem;
  }
}
