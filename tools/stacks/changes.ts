import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import type { Report } from '../../harness/model/report.ts';
import { fillIn, fronts, type Service, stacksFolder } from './stacks.ts';
import { type StackRun, testStack } from './test-stack.ts';

const exec = promisify(execFile);

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

/** What a run said of one changed service. */
export interface ChangeResult {
  /** Whether the report names the place of the change: `caught` as a violated `must`, `warned` as a `should`. */
  readonly found: 'caught' | 'warned' | 'missed';
  readonly report: Report;
}

/** Runs the harness against a changed copy of the service, behind the front that the change names. */
export async function testChange(
  run: Omit<StackRun, 'behind' | 'folder'>,
  change: Change,
): Promise<ChangeResult> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-change-'));
  const front = fronts.find(({ name }) => name === change.front);
  try {
    await copyChanged(run.service, change, folder);
    const report = await testStack({ ...run, folder, behind: front && { front, setting: 'recommended' } });
    return { found: foundIn(report, change), report };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Copies the service and the fronts, changes the copy, and builds it if it must be built. */
async function copyChanged({ name, build }: Service, change: Change, folder: string): Promise<void> {
  const made = new Set(['node_modules', 'dist', '__pycache__']);
  await cp(join(stacksFolder, name), join(folder, name), {
    recursive: true,
    filter: (source) => !made.has(basename(source)),
  });
  await cp(join(stacksFolder, 'fronts'), join(folder, 'fronts'), { recursive: true });
  const patch = join(changesFolder(name), `${change.name}.patch`);
  await exec('patch', ['--strip=1', '--silent', `--directory=${folder}`, `--input=${patch}`]);
  if (build === undefined) return;
  await symlink(join(stacksFolder, name, 'node_modules'), join(folder, name, 'node_modules'));
  const [file = '', ...args] = build.map((one) => fillIn(one, { folder }));
  await exec(file, args);
}

/** A harmless change is found wherever anything is reported. */
function foundIn({ rootCauses = [] }: Report, { kind, shownAt }: Change): ChangeResult['found'] {
  const levels = rootCauses
    .filter(({ operations }) => kind === 'harmless' || operations.some((id) => shownAt.includes(id)))
    .map(({ level }) => level);
  if (levels.includes('must')) return 'caught';
  return levels.length > 0 ? 'warned' : 'missed';
}

function changesFolder(service: string): string {
  return join(stacksFolder, 'changes', service);
}
