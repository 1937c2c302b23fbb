import { Command, Help } from 'commander';
import { harnessIdentity } from '../harness/identity.ts';
import { addBaselineCommand } from './commands/baseline.command.ts';
import { addChallengeCommand } from './commands/challenge.command.ts';
import { addChecksCommand } from './commands/checks.command.ts';
import { addCountersignCommand } from './commands/countersign.command.ts';
import { addDiffCommand } from './commands/diff.command.ts';
import { addDoctorCommand } from './commands/doctor.command.ts';
import { addExplainCommand } from './commands/explain.command.ts';
import { addInitCommand } from './commands/init.command.ts';
import { addKeygenCommand } from './commands/keygen.command.ts';
import { addMergeCommand } from './commands/merge.command.ts';
import { addPlanCommand } from './commands/plan.command.ts';
import { addRegisterCommand } from './commands/register.command.ts';
import { addRenderCommand } from './commands/render.command.ts';
import { addReplayCommand } from './commands/replay.command.ts';
import { addRunCommand } from './commands/run.command.ts';
import { addServeCommand } from './commands/serve.command.ts';
import { addSpotCheckCommand } from './commands/spot-check.command.ts';
import { addVerifyCommand } from './commands/verify.command.ts';
import type { SetExitCode } from './set-exit-code.ts';

/** The command line with all its commands; `setExitCode` receives the exit code of a command. */
export function createProgram(setExitCode: SetExitCode): Command {
  const program = new Command('commerce-conformance')
    .description(
      'Tests, operation by operation, whether a service conforms to the Public Commerce Service Interface.',
    )
    .version(harnessIdentity.version)
    .showSuggestionAfterError(true)
    .showHelpAfterError('see: commerce-conformance --help')
    .configureOutput({ outputError: (text, write) => write(withoutValue(text)) })
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  commerce-conformance run                            test the embedded reference service
  commerce-conformance init --base-url https://…      write a target.yaml to fill in
  commerce-conformance run --target target.yaml       test your own service

Exit codes: 0 nothing violated, 1 non-conformant, 2 usage or configuration, 3 no verdict, 4 defect of the harness,
130 or 143 interrupted.`,
    );
  addRunCommand(program, setExitCode);
  addMergeCommand(program, setExitCode);
  addRenderCommand(program, setExitCode);
  addDiffCommand(program, setExitCode);
  addBaselineCommand(program);
  addReplayCommand(program, setExitCode);
  addDoctorCommand(program, setExitCode);
  addPlanCommand(program);
  addInitCommand(program, setExitCode);
  addChecksCommand(program);
  addExplainCommand(program);
  addServeCommand(program);
  addChallengeCommand(program);
  addVerifyCommand(program, setExitCode);
  addSpotCheckCommand(program, setExitCode);
  addCountersignCommand(program);
  addRegisterCommand(program, setExitCode);
  addKeygenCommand(program);
  for (const command of program.commands) {
    command
      .copyInheritedSettings(program)
      .showSuggestionAfterError(true)
      .showHelpAfterError(`see: commerce-conformance ${command.name()} --help`)
      .allowExcessArguments(false);
  }
  program.configureHelp({ subcommandTerm: (command) => new Help().subcommandTerm(command) });
  return program;
}

/** The value of an unknown flag may be a key: `--keys=…`. */
function withoutValue(text: string): string {
  return text.replace(/^(error: unknown option '[^'=\s]+)=.*'$/ms, "$1'");
}
