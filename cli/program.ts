import { Command } from 'commander';
import { harnessIdentity } from '../harness/identity.ts';
import { commonOptions } from '../spec/options.ts';
import { type CommandDefinition, commandDescriptions, loadCommand } from './command-list.ts';
import { declareOptions, declareOwnOptions } from './options/declare-options.ts';

/** Takes the exit code that a command ends with. */
type SetExitCode = (code: number) => void;

/**
 * The command line with all its commands; only those that the arguments name have their options. `setExitCode` receives the
 * exit code of a command.
 */
export async function createProgram(argv: readonly string[], setExitCode: SetExitCode): Promise<Command> {
  const program = new Command('commerce-conformance')
    .description(
      'Tests, operation by operation, whether a service conforms to the Public Commerce Service Interface.',
    )
    .version(harnessIdentity.version)
    .showSuggestionAfterError(true)
    .showHelpAfterError('see: npx commerce-conformance --help')
    .configureOutput({ outputError: (text, write) => write(withoutValue(text)) })
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
    if (argv.includes(name)) complete(command, await loadCommand(name), setExitCode);
    declareOptions(command, commonOptions);
  }
  program.configureHelp({ subcommandTerm: (command) => command.name() });
  return program;
}

function complete(command: Command, definition: CommandDefinition, setExitCode: SetExitCode): void {
  for (const [name, description] of definition.arguments ?? []) command.argument(name, description);
  declareOwnOptions(command);
  declareOptions(command, definition.options ?? {});
  command.addHelpText('after', `\n${definition.after}`).action(async (...given: unknown[]) => {
    setExitCode((await definition.run(...(given as never[]))) ?? 0);
  });
}

/** The value of an unknown flag may be a key: `--keys=…`. */
function withoutValue(text: string): string {
  return text.replace(/^(error: unknown option '[^'=\s]+)=.*'$/ms, "$1'");
}
