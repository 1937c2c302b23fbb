import type { OptionRows } from '../spec/options.ts';

/** The arguments, options, help and action of a command. */
export interface CommandDefinition {
  /** Arguments as the help shows them, with their descriptions. */
  readonly arguments?: ReadonlyArray<readonly [name: string, description?: string]>;
  /** The options that it shares with `run`, besides its own. */
  readonly options?: OptionRows;
  /** Text below the help. */
  readonly after: string;
  /** Does it with arguments and options; gives the exit code, if not 0. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a command that always succeeds gives nothing.
  readonly run: (...given: never[]) => Promise<number | void>;
}

/** All commands with their descriptions, in the order of the help. */
export const commandDescriptions: Readonly<Record<string, string>> = {
  run: 'test a service and write the report',
  merge: 'merge the reports of all shards and give the verdict; sends nothing',
  render: 'write an earlier report in other formats; sends nothing',
  diff: 'compare two reports; exit code 1 if something got worse',
  baseline: 'write a baseline that accepts the findings of a report',
  replay: 'repeat the exchanges of a finding, here or elsewhere: still there, fixed, or cannot tell',
  doctor: 'try the target, the keys and the known values; list what is missing',
  plan: 'list the cases of a run and the maximum number of its requests',
  init: 'query the target and write a commented target.yaml',
  checks: 'list the checks',
  explain: 'show what a requirement or check demands, why, what it allows, and how to fix a violation',
  serve: 'serve the reference service on loopback',
  challenge: 'sign a challenge for a vendor to certify one product at one base URL',
  verify:
    'evaluate the recorded evidence of a certificate again, and print and check every claim; sends nothing',
  'spot-check': 'repeat a random sample of the cases of a certificate live, as an ordinary client',
  countersign: "add the programme owner's signature and spot check to a valid certificate",
  register: 'verify a folder of certificates, and build the public register as a static site',
  'check-register':
    'spot-check every entry of a folder of certificates, each with the rate of its target file',
  keygen: 'create an Ed25519 key pair for signing certificates',
};

const definitions = import.meta.glob<CommandDefinition>('./commands/*.command.ts', { import: 'command' });

/** The definition of a command, which is loaded only where it is called. */
export async function loadCommand(name: string): Promise<CommandDefinition> {
  const load = definitions[`./commands/${name}.command.ts`];
  if (load === undefined) throw new Error(`the command ${name} has no file`);
  return load();
}
