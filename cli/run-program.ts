import { randomUUID } from 'node:crypto';
import { Command, CommanderError } from 'commander';
import { harnessIdentity } from '../harness/identity.ts';
import { UsageError } from '../harness/usage-error.ts';
import { visibleText } from '../harness/visible-text.ts';
import { withoutCommands } from '../reporters/github/annotations.ts';
import { commonOptions } from '../spec/options.ts';
import { type CommandDefinition, commandDescriptions, loadCommand } from './command-list.ts';
import { inGithubActions } from './github-actions.ts';
import { declareOptions, declareOwnOptions } from './options/declare-options.ts';

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
    const stack = ((error as Error).stack ?? String(error)).split('\n').map(visibleText).join('\n');
    const whose = 'This is a defect of commerce-conformance, not of your service.';
    complain(`${whose} Please report it with these lines:\n${stack}\n`);
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

/** The command line with all its commands; only those that the arguments name have their options. */
async function createProgram(argv: readonly string[], onEnd: (exitCode: number) => void): Promise<Command> {
  const program = new Command('commerce-conformance')
    .description(
      'Tests, operation by operation, whether a service conforms to the Public Commerce Service Interface.',
    )
    .version(harnessIdentity.version)
    .showSuggestionAfterError(true)
    .showHelpAfterError('see: npx commerce-conformance --help')
    .configureOutput({
      // The value of an unknown flag may be a key: `--keys=…`.
      outputError: (text, write) => write(text.replace(/^(error: unknown option '[^'=\s]+)=.*'$/ms, "$1'")),
    })
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  npx commerce-conformance run                            test the embedded reference service
  npx commerce-conformance init --base-url https://…      write a target.yaml to fill in
  npx commerce-conformance run --target target.yaml       test your own service

Exit codes: 0 nothing violated, 1 non-conformant, 2 usage or configuration, 3 no verdict, 4 defect of the harness,
130 or 143 interrupted.`,
    );
  for (const [name, description] of Object.entries(commandDescriptions)) {
    const command = program
      .command(name)
      .description(description)
      .copyInheritedSettings(program)
      .showSuggestionAfterError(true)
      .showHelpAfterError(`see: npx commerce-conformance ${name} --help`)
      .allowExcessArguments(false);
    if (argv.includes(name)) complete(command, await loadCommand(name), onEnd);
    declareOptions(command, commonOptions);
  }
  program.configureHelp({ subcommandTerm: (command) => command.name() });
  return program;
}

function complete(command: Command, definition: CommandDefinition, onEnd: (exitCode: number) => void): void {
  for (const [name, description] of definition.arguments ?? []) command.argument(name, description);
  declareOwnOptions(command);
  declareOptions(command, definition.options ?? {});
  command.addHelpText('after', `\n${definition.after}`).action(async (...given: unknown[]) => {
    onEnd((await definition.run(...(given as never[]))) ?? 0);
  });
}
