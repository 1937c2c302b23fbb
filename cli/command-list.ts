import type { OptionRows } from '../spec/options.ts';
import type { OtherCommand } from './other-commands.ts';

/** What a command takes and does. */
export interface CommandDefinition {
  /** Arguments as the help shows them, with their descriptions. */
  readonly arguments?: ReadonlyArray<readonly [name: string, description?: string]>;
  /** Its options of a run, beside those that belong to it. */
  readonly options?: OptionRows;
  /** Text below the help. */
  readonly after: string;
  /** Does it with arguments and options; gives the exit code, if not 0. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a command that always succeeds gives nothing.
  readonly run: (...given: never[]) => Promise<number | void>;
}

/** A command by its name; all else that it needs is loaded only where it is called. */
export interface ListedCommand {
  readonly name: string;
  readonly description: string;
  readonly load: () => Promise<CommandDefinition>;
}

/** All commands in the order of the help. */
export const commandList: readonly ListedCommand[] = [
  {
    name: 'run',
    description: 'test a service and write the report',
    load: async () => (await import('./commands/run.command.ts')).runCommand,
  },
  other('merge', 'merge the reports of all shards and give the verdict; sends nothing'),
  other('render', 'write an earlier report in other formats; sends nothing'),
  other('diff', 'compare two reports; exit code 1 if something got worse'),
  other('baseline', 'write a baseline that accepts the findings of a report'),
  other('replay', 'repeat the exchanges of a finding, here or elsewhere: still there, fixed, or cannot tell'),
  other('doctor', 'try the target, the keys and the known values; name what a run lacks'),
  other('plan', 'list the cases of a run and the maximum number of its requests'),
  other('init', 'ask the target what it takes, and write a commented target.yaml'),
  other('checks', 'list the checks'),
  other('explain', 'show why it matters, what it allows, and how to fix a violation'),
  {
    name: 'serve',
    description: 'serve the reference service on loopback',
    load: async () => (await import('./commands/serve.command.ts')).serveCommand,
  },
  other('challenge', 'sign a challenge for a vendor to certify one product at one base URL'),
  other(
    'verify',
    'evaluate the recorded evidence of a certificate again, and print and check every claim; sends nothing',
  ),
  other('spot-check', 'repeat a random sample of the cases of a certificate live, as an ordinary client'),
  other('countersign', "add the programme owner's signature and spot check to a valid certificate"),
  other('register', 'verify a folder of certificates, and build the public register as a static site'),
  other(
    'check-register',
    'spot-check every entry of a folder of certificates, each with the rate of its target file',
  ),
  other('keygen', 'create an Ed25519 key pair for signing certificates'),
];

/** Built, they are one file, which neither a run nor a service has to wait for. */
function other(name: OtherCommand, description: string): ListedCommand {
  return { name, description, load: async () => (await import('./other-commands.ts')).otherCommands[name] };
}
