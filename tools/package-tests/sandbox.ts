import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../spec/package-root.ts';
import { type Circumstances, type Ended, runProcess, runSuccessfully } from './run-process.ts';

/** Of npm's variables those that say where packages come from; the others speak of the script that runs now. */
const npmVariable = /^npm_config_(?:registry|cache|userconfig|globalconfig)$/;

/** A temporary folder with the packed package, and what situations have in common in using it. */
export class Sandbox {
  readonly folder: string;
  /** An environment that says nothing of keys, CI, colours or the script that runs now. */
  readonly env: NodeJS.ProcessEnv;
  #tarball: Promise<string> | undefined;
  #project: Promise<string> | undefined;

  private constructor(folder: string) {
    this.folder = folder;
    this.env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) =>
        name.startsWith('npm_')
          ? npmVariable.test(name)
          : !/^(?:COMMERCE_|CONFORMANCE_|GITHUB_|VITEST|INIT_CWD$|NODE$|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$|NO_COLOR$)/.test(
              name,
            ),
      ),
    );
  }

  static async open(): Promise<Sandbox> {
    const folder = await mkdtemp(join(tmpdir(), 'commerce-conformance-package-'));
    // Other users work in it too.
    await chmod(folder, 0o755);
    return new Sandbox(folder);
  }

  async close(): Promise<void> {
    // What a situation made read-only cannot be removed by any user but root.
    execFileSync('chmod', ['-R', 'u+w', this.folder]);
    await rm(this.folder, { recursive: true, force: true });
  }

  /** A new folder. */
  async emptyFolder(name: string): Promise<string> {
    const folder = join(this.folder, name);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** A new folder with files in it, by their names. */
  async folderWith(name: string, files: Readonly<Record<string, string>>): Promise<string> {
    const folder = await this.emptyFolder(name);
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    return folder;
  }

  /** What npm pack makes of a copy of the sources; made once. */
  tarball(): Promise<string> {
    this.#tarball ??= this.#pack();
    return this.#tarball;
  }

  /** A project in which npm has installed the tarball; made once, not to be changed. */
  project(): Promise<string> {
    this.#project ??= this.installed('project');
    return this.#project;
  }

  /** A new project in which npm has installed the tarball and whatever else is named. */
  async installed(
    name: string,
    others: readonly string[] = [],
    files: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const tarball = await this.tarball();
    const folder = await this.folderWith(name, { 'package.json': '{ "private": true }', ...files });
    await this.run('npm', ['install', '--no-audit', '--no-fund', tarball, ...others], folder);
    return folder;
  }

  /** A git repository that holds the sources. */
  async gitRepository(): Promise<string> {
    await this.tarball();
    const folder = await this.emptyFolder('repository');
    await cp(join(this.folder, 'sources'), folder, {
      recursive: true,
      filter: (path) => !/\/sources\/(?:node_modules|dist)$/.test(path),
    });
    const git = (...args: readonly string[]): Promise<Ended> => this.run('git', args, folder);
    await git('init', '--quiet');
    await git('add', '--all');
    await git(
      '-c',
      'user.name=packaging',
      '-c',
      'user.email=packaging@localhost',
      'commit',
      '-qm',
      'sources',
    );
    return folder;
  }

  /** Runs a command that must succeed. */
  run(
    command: string,
    args: readonly string[],
    cwd: string,
    circumstances: Partial<Circumstances> = {},
  ): Promise<Ended> {
    return runSuccessfully(command, args, { cwd, env: this.env, ...circumstances });
  }

  /** Runs a command that may fail. */
  attempt(command: string, args: readonly string[], cwd: string): Promise<Ended> {
    return runProcess(command, args, { cwd, env: this.env });
  }

  /** Runs a command against the embedded service; throws unless the verdict is conformant. */
  async evaluates(
    command: string,
    args: readonly string[],
    cwd: string,
    circumstances: Partial<Circumstances> = {},
    flags: readonly string[] = [],
  ): Promise<void> {
    await this.run(command, [...args, 'run', '--quiet', ...flags], cwd, circumstances);
    const report = JSON.parse(await readFile(join(cwd, 'conformance-report', 'report.json'), 'utf8')) as {
      readonly verdict: string;
      readonly complete: boolean;
      readonly target: { readonly embedded: boolean };
    };
    if (report.verdict !== 'conformant' || !report.complete || !report.target.embedded)
      throw new Error(`the report in ${cwd} says ${report.verdict}`);
  }

  async #pack(): Promise<string> {
    const sources = await this.#copySources();
    const folder = await this.emptyFolder('packed');
    await this.run('npm', ['pack', '--pack-destination', folder], sources);
    const [name] = await readdir(folder);
    if (name === undefined) throw new Error('npm pack wrote nothing');
    return join(folder, name);
  }

  /** Copied, so that nothing is packed that only lies about here, and no compiled code is taken from under others. */
  async #copySources(): Promise<string> {
    const folder = await this.emptyFolder('sources');
    for (const file of sourceFiles()) {
      await cp(join(packageRoot, file), join(folder, file), { preserveTimestamps: true });
    }
    await symlink(join(packageRoot, 'node_modules'), join(folder, 'node_modules'));
    return folder;
  }
}

/** What belongs to the project, committed or not yet, and is there. */
function sourceFiles(): readonly string[] {
  const listed = (...flags: readonly string[]): readonly string[] =>
    execFileSync('git', ['ls-files', '-z', ...flags], { cwd: packageRoot, encoding: 'utf8' })
      .split('\0')
      .filter((file) => file !== '');
  const deleted = new Set(listed('--deleted'));
  return listed('--cached', '--others', '--exclude-standard').filter(
    (file) => !deleted.has(file) && file !== 'node_modules',
  );
}
