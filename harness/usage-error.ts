import { visibleText } from './visible-text.ts';

/** The parts of a message about a user's mistake. They may quote files: control characters in them become escapes. */
export interface UsageProblem {
  readonly what: string;
  /** File, line and key, or the flag. */
  readonly where?: string;
  /** Why it is refused; a list has a line for each reason. */
  readonly why?: string | readonly string[];
  readonly remedy?: string;
}

/** Longest part of a message, in characters. */
const longestPart = 4_000;

/** A mistake of the user, answered with exit code 2 and without a stack trace. */
export class UsageError extends Error {
  readonly problem: UsageProblem;

  /** `others` are errors about the same source, whose messages follow. */
  constructor(problem: UsageProblem, others: readonly UsageError[] = []) {
    const { what, where, why = [], remedy = [] } = problem;
    const lines = [where === undefined ? what : `${where}: ${what}`, why, remedy].flat();
    super([lines.map(shown).join('\n  '), ...others.map(({ message }) => message)].join('\n'));
    this.name = 'UsageError';
    this.problem = problem;
  }
}

function shown(text: string): string {
  const kept = text.slice(0, longestPart);
  return visibleText(kept) + (kept === text ? '' : '…');
}
