import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
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
  /** Runs with the target file that `init` writes and `doctor` accepts, in place of the one of the corpus. */
  readonly fromInit?: boolean;
  /** Where the report stays; absent for a folder that is removed. */
  readonly reportFolder?: string;
  /** Further arguments of `run`. */
  readonly args: readonly string[];
}

/** Minutes after which a run is given up. */
const longestMinutes = 10;

/** Starts the stack, runs the harness against it, and stops it. */
export async function testStack(setting: Setting): Promise<Report> {
  const { service, front, seed, fromInit, args, reportFolder, folder: source = stacksFolder } = setting;
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
    const connection = front?.front.usesTls ? ['--ca', join(folder, 'certificate.pem')] : [];
    const target = fromInit ? join(folder, 'target.yaml') : join(stacksFolder, 'target.yaml');
    if (fromInit) {
      const spec = service.document === undefined ? [] : ['--spec', baseUrl + service.document];
      await command(program, ['init', '--base-url', baseUrl, '--file', target, ...spec, ...connection], [0]);
      await command(program, ['doctor', '--target', target], [0]);
    }
    const stdout = await command(
      program,
      [
        ...['run', '--quiet', '--no-color', '--target', target, '--base-url', baseUrl],
        ...['--report-dir', reportDir, '--seed', String(seed), ...connection],
        ...(front?.front.usesTls ? ['--http2'] : []),
        // What a framework writes into a document by itself is not the service that this tests.
        ...(fromInit ? ['--spec-findings', 'warn'] : []),
        ...args,
      ],
      [0, 1, 3],
    );
    if (reportFolder !== undefined) await writeFile(join(reportFolder, 'terminal.txt'), stdout);
    return await readReport(join(reportDir, 'report.json'));
  } finally {
    for (const { stop } of started.reverse()) await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a command of the program with the keys of the corpus; throws where it ends in another way. */
async function command(
  program: string,
  args: readonly string[],
  exitCodes: readonly number[],
): Promise<string> {
  const { keys } = parse(await readFile(join(stacksFolder, 'target.yaml'), 'utf8')) as {
    readonly keys: { readonly scoped: string; readonly unscoped: string };
  };
  const { exitCode, stdout } = await runNode([program, ...args], {
    env: { COMMERCE_KEY: keys.scoped, COMMERCE_KEY_UNSCOPED: keys.unscoped },
    timeoutMs: longestMinutes * 60_000,
  });
  if (exitCode === null)
    throw new Error(
      `the run did not end within ${longestMinutes} minutes: the service is too slow, or hangs. --profile quick, or a shorter --timeout, takes less time`,
    );
  if (!exitCodes.includes(exitCode)) throw new Error(`${args.join(' ')}: exit code ${exitCode}\n${stdout}`);
  return stdout;
}
