/** A command that is interrupted, in a folder with `target.yaml`, shards `1` and `2`, `certified` and keys. */
export interface InterruptibleCommand {
  readonly name: string;
  readonly args: readonly string[];
  /** The folder that it writes to. */
  readonly reportDir?: string;
}

/** Operations that open sessions among them. */
const some = ['--operation', '*Hosted*', 'getPublicProduct'];

/** The commands that read or write for a while. */
export const interruptibleCommands: readonly InterruptibleCommand[] = [
  { name: 'run', args: ['run', '--target', 'target.yaml', ...some, '--report-dir', 'out'], reportDir: 'out' },
  { name: 'merge', args: ['merge', '1', '2', '--report-dir', 'out'], reportDir: 'out' },
  {
    name: 'verify',
    args: ['verify', 'certified', '--development', '--public-key', 'key/certificate-public.pem'],
  },
  {
    name: 'certify',
    args: [
      ...['run', '--target', 'target.yaml', '--certify', '--development', '--rate', '400'],
      ...['--sign-key', 'key/certificate-private.pem', '--report-dir', 'out'],
    ],
    reportDir: 'out',
  },
];
