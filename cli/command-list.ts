import type { Command } from 'commander';
import type { SetExitCode } from './set-exit-code.ts';

/** A command by its name; its options and all that it needs are loaded only where it is called. */
export interface ListedCommand {
  readonly name: string;
  readonly description: string;
  readonly define: (command: Command, setExitCode: SetExitCode) => Promise<void>;
}

/** Built, they are one file, which neither a run nor a service has to wait for. */
const others = (): Promise<typeof import('./other-commands.ts')> => import('./other-commands.ts');

/** All commands in the order of the help. */
export const commandList: readonly ListedCommand[] = [
  {
    name: 'run',
    description: 'test a service and write the report',
    define: async (command, setExitCode) =>
      (await import('./commands/run.command.ts')).addRunCommand(command, setExitCode),
  },
  {
    name: 'merge',
    description: 'merge the reports of all shards and give the verdict; sends nothing',
    define: async (command, setExitCode) => (await others()).addMergeCommand(command, setExitCode),
  },
  {
    name: 'render',
    description: 'write an earlier report in other formats; sends nothing',
    define: async (command, setExitCode) => (await others()).addRenderCommand(command, setExitCode),
  },
  {
    name: 'diff',
    description: 'compare two reports; exit code 1 if something got worse',
    define: async (command, setExitCode) => (await others()).addDiffCommand(command, setExitCode),
  },
  {
    name: 'baseline',
    description: 'write a baseline that accepts the findings of a report',
    define: async (command) => (await others()).addBaselineCommand(command),
  },
  {
    name: 'replay',
    description: 'repeat the exchanges of a finding, here or elsewhere: still there, fixed, or cannot tell',
    define: async (command, setExitCode) => (await others()).addReplayCommand(command, setExitCode),
  },
  {
    name: 'doctor',
    description: 'try the target, the keys and the known values; name what a run lacks',
    define: async (command, setExitCode) => (await others()).addDoctorCommand(command, setExitCode),
  },
  {
    name: 'plan',
    description: 'list the cases of a run and the maximum number of its requests',
    define: async (command) => (await others()).addPlanCommand(command),
  },
  {
    name: 'init',
    description: 'ask the target what it takes, and write a commented target.yaml',
    define: async (command, setExitCode) => (await others()).addInitCommand(command, setExitCode),
  },
  {
    name: 'checks',
    description: 'list the checks',
    define: async (command) => (await others()).addChecksCommand(command),
  },
  {
    name: 'explain',
    description: 'show why it matters, what it allows, and how to fix a violation',
    define: async (command) => (await others()).addExplainCommand(command),
  },
  {
    name: 'serve',
    description: 'serve the reference service on loopback',
    define: async (command) => (await import('./commands/serve.command.ts')).addServeCommand(command),
  },
  {
    name: 'challenge',
    description: 'sign a challenge for a vendor to certify one product at one base URL',
    define: async (command) => (await others()).addChallengeCommand(command),
  },
  {
    name: 'verify',
    description:
      'evaluate the recorded evidence of a certificate again, and print and check every claim; sends nothing',
    define: async (command, setExitCode) => (await others()).addVerifyCommand(command, setExitCode),
  },
  {
    name: 'spot-check',
    description: 'repeat a random sample of the cases of a certificate live, as an ordinary client',
    define: async (command, setExitCode) => (await others()).addSpotCheckCommand(command, setExitCode),
  },
  {
    name: 'countersign',
    description: "add the programme owner's signature and spot check to a valid certificate",
    define: async (command) => (await others()).addCountersignCommand(command),
  },
  {
    name: 'register',
    description: 'verify a folder of certificates, and build the public register as a static site',
    define: async (command, setExitCode) => (await others()).addRegisterCommand(command, setExitCode),
  },
  {
    name: 'check-register',
    description: 'spot-check every entry of a folder of certificates, each with the rate of its target file',
    define: async (command, setExitCode) => (await others()).addCheckRegisterCommand(command, setExitCode),
  },
  {
    name: 'keygen',
    description: 'create an Ed25519 key pair for signing certificates',
    define: async (command) => (await others()).addKeygenCommand(command),
  },
];
