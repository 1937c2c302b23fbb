import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test as base, expect, type TestAPI } from 'vitest';
import { parse } from 'yaml';
import type { Report } from '../harness/model/report.ts';
import { parseReport } from '../reporters/json/write-report.ts';
import { packageRoot } from '../spec/package-root.ts';
import { type Behaviour, type CountingServer, countingServer } from './counting-server-for-tests.ts';

/** The compiled command line. */
export const program: string = join(packageRoot, 'dist', 'cli', 'main.js');

/** A shell script that is the compiled command line, as a package manager installs it. */
export const programScript: string = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;

/** What a process left behind. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of the command line. */
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with all of stdout so far once it holds a text; rejects where the process ends without it. */
  said(text: string): Promise<string>;
}

/** Where and how the command line runs. */
export interface Circumstances {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** An environment that says nothing of keys, proxies, colours, CI or this test runner. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const telling =
    /^(COMMERCE_|CONFORMANCE_|GITHUB_|VITEST|FORCE_COLOR$|NO_COLOR$|NODE_ENV$|CI$|TEST$|DEV$|PROD$|(?:https?|all|no)_proxy$|(?:HTTPS?|ALL|NO)_PROXY$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !telling.test(name)));
}

/** Starts the compiled command line, in an environment that says nothing of its own. */
export function startCli(args: readonly string[], circumstances?: Circumstances): Started {
  return start(process.execPath, [program, ...args], circumstances);
}

/** Types a line into a shell, in a folder in which a package manager has installed the compiled command line. */
export async function typeLine(
  line: string,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
  shell = 'sh',
): Promise<Ended> {
  const bin = join(cwd, '.bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'commerce-conformance'), programScript, { mode: 0o755 });
  await writeFile(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  const path = [bin, process.env['PATH']].join(delimiter);
  return start(shell, ['-e', '-c', line], { cwd, env: { PATH: path, ...env } }).ended;
}

function start(
  file: string,
  args: readonly string[],
  { cwd = tmpdir(), env = {} }: Circumstances = {},
): Started {
  const child = spawn(file, args, {
    cwd,
    env: { ...plainEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const waiting: Array<() => void> = [];
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
    for (const look of waiting) look();
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
  const said = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (stdout.includes(text)) resolve(stdout);
      };
      waiting.push(look);
      look();
      void ended.then((end) =>
        reject(new Error(`ended with ${end.exitCode} and without ${text}: ${end.stderr}`)),
      );
    });
  return { child, ended, said };
}

/** Runs the compiled command line to its end. */
export function runCli(args: readonly string[], circumstances?: Circumstances): Promise<Ended> {
  return startCli(args, circumstances).ended;
}

/** A target file as `serve --write-target` writes it, read. */
export interface ServedTarget {
  readonly baseUrl: string;
  readonly keys: { readonly scoped: string; readonly unscoped: string };
}

/** The command line in one folder; a command is its words, or a list of them where one has a space. */
export interface Commands {
  readonly cli: (command: string | readonly string[], env?: Circumstances['env']) => Promise<Ended>;
  /** Has a command refused before it does anything, with all of these in the message. */
  readonly refused: (
    command: string | readonly string[],
    said: string | RegExp | ReadonlyArray<string | RegExp>,
    env?: Circumstances['env'],
  ) => Promise<void>;
}

/** The command line in a folder, which may come to be later. */
export function commandsIn(folder: () => string, run: typeof runCli): Commands {
  const cli: Commands['cli'] = (command, env = {}) =>
    run(typeof command === 'string' ? command.split(' ') : command, { cwd: folder(), env });
  return {
    cli,
    refused: async (command, said, env) => {
      const { exitCode, stdout, stderr } = await cli(command, env);
      expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 2, stdout: '' });
      for (const part of [said].flat()) expect(stderr).toMatch(part);
      expect(stderr).not.toContain('    at ');
    },
  };
}

/** What every test of a command is given; all of it goes with the test. */
export interface Given extends Commands {
  /** A folder of its own. */
  readonly folder: string;
  readonly startCountingServer: (behaviour?: Behaviour) => Promise<CountingServer>;
}

/** Starts what `serve` starts with these flags; gives the target file that it wrote. */
interface Serving {
  readonly serve: (
    ...args: readonly string[]
  ) => Promise<{ readonly file: string; readonly target: ServedTarget }>;
}

/** Tests of commands that run in a way. */
export function commandTest(run: typeof runCli): TestAPI<Given> {
  return base.extend<Given>({
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern that nothing else is needed
    folder: async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'conformance-cli-'));
      await use(folder);
      await rm(folder, { recursive: true, force: true });
    },
    cli: ({ folder }, use) => use(commandsIn(() => folder, run).cli),
    refused: ({ folder }, use) => use(commandsIn(() => folder, run).refused),
    // biome-ignore lint/correctness/noEmptyPattern: as above
    startCountingServer: async ({}, use) => {
      const servers: CountingServer[] = [];
      await use(async (behaviour) => {
        const server = await countingServer(behaviour);
        servers.push(server);
        return server;
      });
      for (const server of servers) server.close();
    },
  });
}

/** A test of the compiled command line; may run beside others. */
export const test: TestAPI<Given & Serving> = commandTest(runCli).extend<Serving>({
  serve: async ({ folder }, use) => {
    const services: Started[] = [];
    await use(async (...args) => {
      const file = join(folder, `served-${services.length}.yaml`);
      const started = startCli(['serve', '--write-target', file, ...args]);
      services.push(started);
      await started.said('Press Ctrl-C to stop.');
      return { file, target: parse(await readFile(file, 'utf8')) as ServedTarget };
    });
    for (const { child } of services) child.kill('SIGTERM');
    await Promise.all(services.map(({ ended }) => ended));
  },
});

/** The report in a folder; it must be valid. */
export async function readReport(folder: string): Promise<Report> {
  return parseReport(await readFile(join(folder, 'report.json'), 'utf8'));
}
