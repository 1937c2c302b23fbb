import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readReport } from '../../cli/read-report.ts';
import type { Report } from '../../harness/model/report.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { runNode } from '../bench/run-node.ts';
import { type Front, type Service, type Setting, stacksFolder } from './stacks-for-tests.ts';
import { type Started, startFront, startService } from './start-stack-for-tests.ts';

/** A front, with default or recommended settings. */
export interface Behind {
  readonly front: Front;
  readonly setting: Setting;
}

/** One run against a stack. */
export interface StackRun {
  readonly service: Service;
  /** Absent if the harness calls the service directly. */
  readonly behind?: Behind | undefined;
  readonly seed: number;
  /** Holds the folders of a changed service and of the fronts; that of the corpus by default. */
  readonly folder?: string;
  /** Runs with the target file that `init` writes and `doctor` accepts, in place of the one of the corpus. */
  readonly fromInit?: boolean;
  /** Keeps the report. */
  readonly reportFolder?: string | undefined;
}

/** Seeds of the runs. */
export const seeds: readonly number[] = (process.env['SEEDS'] ?? '1').split(',').map(Number);
/** Further arguments of every run. */
export const furtherArgs: readonly string[] = (process.env['RUN_ARGS'] ?? '').split(' ').filter(Boolean);
/** The compiled program, of another version if one is named. */
const program = process.env['PROGRAM'] ?? join(packageRoot, 'dist', 'cli', 'main.js');

/** The folder that keeps the report of a run, if reports are to be kept. */
export function reportFolderOf(run: string): string | undefined {
  return process.env['REPORTS'] === undefined ? undefined : join(process.env['REPORTS'], run);
}

/** Prints what a run found. */
export function showCauses({ verdict, traffic, run, rootCauses = [] }: Report): void {
  const seconds = Math.round(run.durationMs / 1000);
  process.stdout.write(`${verdict}, ${traffic.requests} requests, ${seconds} s\n`);
  for (const { level, headline, operations } of rootCauses)
    process.stdout.write(`  ${level}: ${headline} (${operations.join(', ')})\n`);
}

/** Minutes after which a run is given up. */
const longestMinutes = 10;

/** Starts the stack, runs the harness against it, and stops it. */
export async function testStack(run: StackRun): Promise<Report> {
  const { service, behind, seed, fromInit = false, reportFolder, folder: source = stacksFolder } = run;
  const dir = await mkdtemp(join(tmpdir(), 'conformance-stack-'));
  // Some fronts read their configuration as another user.
  await chmod(dir, 0o755);
  const started: Started[] = [];
  try {
    const served = await startService(service, source);
    started.push(served);
    let { baseUrl } = served;
    if (behind !== undefined) {
      const place = { backend: baseUrl, dir, source };
      const front = await startFront(behind.front, behind.setting, place);
      started.push(front);
      ({ baseUrl } = front);
    }
    const usesTls = behind?.front.usesTls === true;
    const reportDir = reportFolder ?? join(dir, 'report');
    const connection = usesTls ? ['--ca', join(dir, 'certificate.pem')] : [];
    const target = fromInit ? join(dir, 'target.yaml') : join(stacksFolder, 'target.yaml');
    if (fromInit) {
      const spec = service.document === undefined ? [] : ['--spec', baseUrl + service.document];
      await command(['init', '--base-url', baseUrl, '--file', target, ...spec, ...connection]);
      await command(['doctor', '--target', target]);
    }
    const stdout = await command(
      [
        ...['run', '--quiet', '--no-color', '--target', target, '--base-url', baseUrl],
        ...['--report-dir', reportDir, '--seed', String(seed), ...connection],
        ...(usesTls ? ['--http2'] : []),
        // What a framework writes into a document by itself is not the service that this tests.
        ...(fromInit ? ['--spec-findings', 'warn'] : []),
        ...furtherArgs,
      ],
      [0, 1, 3],
    );
    if (reportFolder !== undefined) await writeFile(join(reportFolder, 'terminal.txt'), stdout);
    return await readReport(join(reportDir, 'report.json'));
  } finally {
    for (const { stop } of started.reverse()) await stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Runs a command of the program with the keys of the corpus; throws on any other exit code. */
export async function command(args: readonly string[], exitCodes: readonly number[] = [0]): Promise<string> {
  const { keys } = parse(await readFile(join(stacksFolder, 'target.yaml'), 'utf8')) as {
    readonly keys: { readonly scoped: string; readonly unscoped: string };
  };
  const { exitCode, stdout } = await runNode([program, ...args], {
    env: { COMMERCE_KEY: keys.scoped, COMMERCE_KEY_UNSCOPED: keys.unscoped },
    timeoutMs: longestMinutes * 60_000,
  });
  if (exitCode === null) throw new Error(`the run did not end within ${longestMinutes} minutes`);
  if (!exitCodes.includes(exitCode)) throw new Error(`${args.join(' ')}: exit code ${exitCode}\n${stdout}`);
  return stdout;
}
