/** A command that is interrupted, in a folder with target files, reports and keys. */
export interface InterruptibleCommand {
  readonly name: string;
  /** `{baseUrl}`, `{scoped}` and `{unscoped}` stand for the address of the service and its keys. */
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
  { name: 'doctor', args: ['doctor', '--target', 'target.yaml'] },
  {
    name: 'init',
    args: [
      ...['init', '--base-url', '{baseUrl}', '--key', '{scoped}', '--unscoped-key', '{unscoped}'],
      ...['--file', 'made.yaml', '--force'],
    ],
  },
  {
    name: 'replay',
    args: ['replay', 'getHostedCheckoutSession/session/created-session-can-be-read', '--report', 'faulty'],
  },
  { name: 'spot-check', args: ['spot-check', 'certified', '--target', 'target.yaml', '--out', 'spot.json'] },
];
