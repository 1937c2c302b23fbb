import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readReport } from '../../cli/read-report.ts';
import type { Report } from '../../harness/model/report.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { runNode } from '../bench/run-program.ts';
import type { Front } from './fronts.ts';
import { prepareFront } from './prepare-front.ts';
import { type Service, stacksFolder } from './services.ts';
import { freePort, type Started, startProcess } from './start-process.ts';

/** What a run against one stack is started with. */
export interface Setting {
  readonly service: Service;
  /** Absent where the service is asked directly. */
  readonly front?: { readonly front: Front; readonly setting: 'default' | 'recommended' };
  readonly seed: number;
  /** Holds the folders of a changed service and of the fronts; absent for those of the corpus. */
  readonly folder?: string;
  /** The compiled program of another version; absent for this one. */
  readonly program?: string;
  /** Where the report stays; absent for a folder that is removed. */
  readonly reportFolder?: string;
  /** Further arguments of `run`. */
  readonly args: readonly string[];
}

/** Starts the stack, runs the harness against it, and stops it. */
export async function testStack(setting: Setting): Promise<Report> {
  const { service, front, seed, args, reportFolder, folder: source = stacksFolder } = setting;
  const { program = join(packageRoot, 'dist', 'cli', 'main.js') } = setting;
  const folder = await mkdtemp(join(tmpdir(), 'conformance-stack-'));
  // Some fronts read their configuration as another user.
  await chmod(folder, 0o755);
  const started: Started[] = [];
  try {
    const backend = await freePort();
    started.push(await startProcess(service.start(backend, source), backend));
    let baseUrl = `http://127.0.0.1:${backend}`;
    if (front !== undefined) {
      const place = { port: await freePort(), tlsPort: await freePort(), backend, folder };
      const config = await prepareFront(front.front, front.setting, place, join(source, 'fronts'));
      started.push(await startProcess(front.front.start(config, folder, place.port), place.port));
      baseUrl = front.front.usesTls ? `https://127.0.0.1:${place.tlsPort}` : `http://127.0.0.1:${place.port}`;
    }
    const reportDir = reportFolder ?? join(folder, 'report');
    const { exitCode, stdout } = await runNode([
      ...[program, 'run', '--quiet', '--no-color'],
      ...['--target', join(stacksFolder, 'target.yaml'), '--base-url', baseUrl, '--report-dir', reportDir],
      ...(front?.front.usesTls ? ['--http2', '--ca', join(folder, 'certificate.pem')] : []),
      ...['--seed', String(seed), ...args],
    ]);
    if (exitCode === null || exitCode === 2 || exitCode === 4)
      throw new Error(`run: exit code ${exitCode}\n${stdout}`);
    if (reportFolder !== undefined) await writeFile(join(reportFolder, 'terminal.txt'), stdout);
    return await readReport(join(reportDir, 'report.json'));
  } finally {
    for (const { stop } of started.reverse()) await stop();
    await rm(folder, { recursive: true, force: true });
  }
}
