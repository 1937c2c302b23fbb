import { Command } from 'commander';
import { harnessIdentity } from '../harness/identity.ts';
import { commandList } from './command-list.ts';
import type { SetExitCode } from './set-exit-code.ts';

/**
 * The command line with all its commands, of which those that the arguments name are complete; `setExitCode` receives the exit
 * code of a command.
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
  for (const { name, description, define } of commandList) {
    const command = program.command(name).description(description);
    if (argv.includes(name)) await define(command, setExitCode);
    command.option('--no-color', 'no colours');
  }
  for (const command of program.commands) {
    command
      .copyInheritedSettings(program)
      .showSuggestionAfterError(true)
      .showHelpAfterError(`see: npx commerce-conformance ${command.name()} --help`)
      .allowExcessArguments(false);
  }
  program.configureHelp({ subcommandTerm: (command) => command.name() });
  return program;
}

/** The value of an unknown flag may be a key: `--keys=…`. */
function withoutValue(text: string): string {
  return text.replace(/^(error: unknown option '[^'=\s]+)=.*'$/ms, "$1'");
}
