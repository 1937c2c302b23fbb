import { type ExecFileOptions, execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import type { Report } from '../../harness/model/report.ts';

/** The command of the package. */
export const command = 'commerce-conformance';

/** Of npm's variables those that say where packages come from; the others speak of the script that runs now. */
const npmVariable = /^npm_config_(?:registry|cache|userconfig|globalconfig)$/;
const otherVariable =
  /^(?:COMMERCE_|CONFORMANCE_|GITHUB_|VITEST|TEST$|DEV$|PROD$|MODE$|INIT_CWD$|NODE$|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$|NO_COLOR$)/;

/** An environment that says nothing of keys, CI, colours, or the script or tests that run now. */
export const plainEnvironment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    name.startsWith('npm_') ? npmVariable.test(name) : !otherVariable.test(name),
  ),
);

/** Runs a command; throws with the last lines of its output if it fails or takes too long. */
export async function run(
  file: string,
  args: readonly string[],
  cwd: string,
  options: ExecFileOptions = {},
): Promise<string> {
  const all = { cwd, env: plainEnvironment, timeout: 240_000, maxBuffer: 2 ** 26, ...options };
  try {
    const { stdout } = await promisify(execFile)(file, args, { ...all, encoding: 'utf8' });
    return stdout;
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string };
    const said = `${stdout}\n${stderr}`.trim().split('\n').slice(-20).join('\n');
    throw new Error(`${[file, ...args].join(' ')}\nended with ${code}:\n${said}`);
  }
}

/** A new folder with files in it, by their names. */
export async function folderWith(
  name: string,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = join(inject('sandbox'), name);
  await mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return folder;
}

/** Runs `npm install` with what is named. */
export async function npmInstall(folder: string, ...names: readonly string[]): Promise<string> {
  return run('npm', ['install', '--no-audit', '--no-fund', ...names], folder);
}

/** A new project in which npm has installed the tarball and whatever else is named. */
export async function installed(
  name: string,
  others: readonly string[] = [],
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await folderWith(name, { 'package.json': '{ "private": true }', ...files });
  await npmInstall(folder, inject('tarball'), ...others);
  return folder;
}

/** A project in which npm has installed the tarball; made once, not to be changed. */
export async function plainProject(): Promise<string> {
  const folder = join(inject('sandbox'), 'project');
  return existsSync(join(folder, 'node_modules')) ? folder : installed('project');
}

/** A file below `node_modules` of a package that npm brings, such as `pnpm@10`; fetched once. */
export async function fetched(name: string, file: string): Promise<string> {
  const folder = await folderWith(`tool-${name}`);
  const path = join(folder, 'node_modules', file);
  if (!existsSync(path)) await npmInstall(folder, '--prefix', folder, name);
  return path;
}

/** Path of a Node of another major version. */
export function nodeOf(major: number): Promise<string> {
  return fetched(`node@${major}`, 'node/bin/node');
}

/** Runs the command of a project. */
export function runCommand(project: string, args: readonly string[]): Promise<string> {
  return run('npx', ['--no', '--', command, ...args], project);
}

/** Tests the embedded service with a command; throws unless the verdict is conformant. */
export async function evaluates(
  file: string,
  args: readonly string[],
  cwd: string,
  flags: readonly string[] = [],
  options: ExecFileOptions = {},
): Promise<void> {
  await run(file, [...args, 'run', '--quiet', ...flags], cwd, options);
  const { verdict, complete, target } = await reportIn(cwd);
  if (verdict !== 'conformant' || !complete || !target.embedded)
    throw new Error(`the report in ${cwd} says ${verdict}`);
}

/** Tests the embedded service with the command of a project; throws unless the verdict is conformant. */
export function evaluatesProject(project: string, options: ExecFileOptions = {}): Promise<void> {
  return evaluates('npx', ['--no', '--', command], project, [], options);
}

/** The report that a run wrote below a folder. */
export async function reportIn(folder: string): Promise<Report> {
  return JSON.parse(await readFile(join(folder, 'conformance-report', 'report.json'), 'utf8'));
}
