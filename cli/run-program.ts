import { randomUUID } from 'node:crypto';
import { CommanderError } from 'commander';
import { UsageError } from '../harness/usage-error.ts';
import { visibleText } from '../harness/visible-text.ts';
import { withoutCommands } from '../reporters/github/annotations.ts';
import { inGithubActions } from './github-actions.ts';
import { createProgram } from './program.ts';

/** Runs the command line and returns the exit code; a user's mistake ends in a message, not in a stack trace. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  try {
    refuseMissingWorkingFolder();
    const program = await createProgram(argv, (code) => {
      exitCode = code;
    });
    await program.parseAsync([...argv]);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof UsageError) {
      complain(`error: ${error.message}\n`);
      return 2;
    }
    const stack = (error as Error).stack ?? String(error);
    complain(
      `This is a defect of commerce-conformance, not of your service. Please report it with these lines:\n${stack
        .split('\n')
        .map(visibleText)
        .join('\n')}\n`,
    );
    return 4;
  }
}

/** Prints a message that may quote a file, which the runner of GitHub Actions must not read as its commands. */
function complain(text: string): void {
  process.stderr.write(inGithubActions() ? withoutCommands(text, randomUUID()) : text);
}

/** Node.js creates a relative path in a deleted folder for ever, and resolves none. */
function refuseMissingWorkingFolder(): void {
  try {
    process.cwd();
  } catch {
    throw new UsageError({
      what: 'the working folder no longer exists',
      remedy: 'change to an existing folder, and run the command again',
    });
  }
}
