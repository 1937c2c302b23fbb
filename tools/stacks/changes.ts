import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { type Service, stacksFolder } from './services.ts';

const run = promisify(execFile);

/** A change of a service as a release might bring it: a regression, or one that is harmless. */
export interface Change {
  readonly name: string;
  readonly kind: 'regression' | 'harmless';
  /** What the service does with it. */
  readonly says: string;
  /** Operations that show a regression. */
  readonly shownAt: readonly string[];
  readonly cause: string;
  readonly fix: string;
  /** What a report must say to name the cause. */
  readonly rightlyNamed: string;
  /** The front that a patch of its configuration belongs to. */
  readonly front?: string;
}

/** The changes of a service, from `fixtures/stacks/changes/<service>/changes.yaml`; none for services without the file. */
export async function changesOf({ name }: Service): Promise<readonly Change[]> {
  try {
    return parse(await readFile(join(changesFolder(name), 'changes.yaml'), 'utf8')) as readonly Change[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** A folder with a changed copy of the service, and of the fronts; built where it must be. The caller removes it. */
export async function changedCopy({ name, build }: Service, change: Change): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-change-'));
  const made = new Set(['node_modules', 'dist', '__pycache__']);
  try {
    await cp(join(stacksFolder, name), join(folder, name), {
      recursive: true,
      filter: (source) => !made.has(basename(source)),
    });
    await cp(join(stacksFolder, 'fronts'), join(folder, 'fronts'), { recursive: true });
    const patch = join(changesFolder(name), `${change.name}.patch`);
    await run('patch', ['--strip=1', '--silent', `--directory=${folder}`, `--input=${patch}`]);
    if (build !== undefined) {
      await symlink(join(stacksFolder, name, 'node_modules'), join(folder, name, 'node_modules'));
      const { file, args } = build(join(folder, name));
      await run(file, args);
    }
    return folder;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

function changesFolder(service: string): string {
  return join(stacksFolder, 'changes', service);
}
