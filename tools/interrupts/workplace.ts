import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { InterruptibleCommand } from './commands.ts';
import { startCountedService } from './counted-service.ts';

/** Where commands are interrupted. */
export interface Workplace {
  readonly folder: string;
  /** Sessions that are open at the services. */
  readonly openSessions: () => number;
  /** Starts a command that keeps its temporary files in `temporary`. */
  readonly start: (args: readonly string[]) => ChildProcess;
  readonly temporary: string;
  /** Puts an earlier certificate into the folder that a command writes to, and forgets the open sessions. */
  readonly reset: (command: InterruptibleCommand) => Promise<void>;
  /** Milliseconds that a command takes. */
  readonly measure: (command: InterruptibleCommand) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Prepares a folder with everything that the commands read. */
export async function prepareWorkplace(): Promise<Workplace> {
  const root = await temporaryFolder();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
  const service = await startCountedService();
  const fault = allFaults.find(({ name }) => name === 'created-session-never-reaches-the-reads');
  if (fault === undefined) throw new Error('the fault to replay is missing');
  const faulty = await startCountedService((parts) => fault.install(parts));
  const folder = join(root.path, 'work');
  const temporary = join(root.path, 'tmp');
  await mkdir(folder);
  await mkdir(temporary);
  await writeFile(join(folder, 'target.yaml'), stringify(service.target));
  await writeFile(join(folder, 'faulty.yaml'), stringify(faulty.target));
  const { baseUrl, keys } = service.target;
  const places: Readonly<Record<string, string>> = {
    '{baseUrl}': baseUrl,
    '{scoped}': keys.scoped,
    '{unscoped}': keys.unscoped,
  };
  const start = (args: readonly string[]): ChildProcess => {
    // A spot check overwrites no earlier result.
    rmSync(join(folder, 'spot.json'), { force: true });
    return spawn(
      process.execPath,
      [join(packageRoot, 'dist/cli/main.js'), ...args.map((one) => places[one] ?? one)],
      {
        cwd: folder,
        env: { ...process.env, TMPDIR: temporary },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
  };
  const finish = async (args: readonly string[], expected: readonly number[] = [0]): Promise<void> => {
    const child = start(args);
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    child.stdout?.resume();
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    if (!expected.includes(code ?? -1)) throw new Error(`${args.join(' ')} ended with ${code}: ${said}`);
  };
  const reset = async ({ reportDir }: InterruptibleCommand): Promise<void> => {
    service.forget();
    faulty.forget();
    if (reportDir === undefined) return;
    await rm(join(folder, reportDir), { recursive: true, force: true });
    await cp(join(folder, 'certified'), join(folder, reportDir), { recursive: true });
  };
  const target = ['run', '--target', 'target.yaml', '--format', 'json'];
  const read = ['--operation', 'getHostedCheckoutSession', '--check', 'SESSION-1', '--report-dir', 'faulty'];
  await finish(['run', '--target', 'faulty.yaml', ...read], [1]);
  await finish(['keygen', '--out', 'key']);
  const key = ['--sign-key', 'key/certificate-private.pem'];
  await finish([...target, '--certify', '--development', ...key, '--report-dir', 'certified']);
  for (const index of [1, 2])
    await finish([...target, '--shard', `${index}/2`, '--report-dir', String(index)]);
  return {
    folder,
    temporary,
    openSessions: () => service.openSessions() + faulty.openSessions(),
    start,
    reset,
    measure: async (command) => {
      await reset(command);
      const started = performance.now();
      await finish(command.args, [0, 1]);
      return performance.now() - started;
    },
    close: async () => {
      await service.close();
      await faulty.close();
      await root.remove();
    },
  };
}
