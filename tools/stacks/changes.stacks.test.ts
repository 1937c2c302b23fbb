import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Report } from '../../harness/model/report.ts';
import { fillIn, fronts, type Service, services, stacksFolder } from './stacks-for-tests.ts';
import { reportFolderOf, seeds, showCauses, testStack } from './test-stack-for-tests.ts';

const exec = promisify(execFile);

/** A change of a service as a release might bring it: a regression, or one that is harmless. */
interface Change {
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
  /** What becomes of a regression that no report can fail for, and why. */
  readonly found?: 'warned' | 'missed';
  readonly because?: string;
  /** The front that a patch of its configuration belongs to. */
  readonly front?: string;
}

const changed = services.filter((service) => changesOf(service).length > 0);

describe.for(changed.map((service) => [service.name, service] as const))('%s', ([name, service]) => {
  const changes = changesOf(service).map((change) => [change.kind, change.name, change] as const);
  describe.for(changes)('%s %s', ([, , change]) => {
    test.for(seeds)('is answered as it must be, seed %i', async (seed) => {
      const folder = await mkdtemp(join(tmpdir(), 'conformance-change-'));
      const front = fronts.find((one) => one.name === change.front);
      try {
        await copyChanged(service, change, folder);
        const behind = front && ({ front, setting: 'recommended' } as const);
        const reportFolder = reportFolderOf(`${name}-${change.name}`);
        const report = await testStack({ service, seed, folder, behind, reportFolder });
        showCauses(report);
        // Whether the cause is right, a reader must say.
        const { kind, found = kind === 'harmless' ? 'missed' : 'caught', because } = change;
        expect(foundIn(report, change), because).toBe(found);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
});

/** The changes of a service, from `fixtures/stacks/changes/<service>/changes.yaml`; none for services without the file. */
function changesOf({ name }: Service): readonly Change[] {
  const file = join(changesFolder(name), 'changes.yaml');
  return existsSync(file) ? parse(readFileSync(file, 'utf8')) : [];
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

/** Whether the report names the place: a harmless change is found wherever anything is reported. */
function foundIn({ rootCauses = [] }: Report, { kind, shownAt }: Change): 'caught' | 'warned' | 'missed' {
  const levels = rootCauses
    .filter(({ operations }) => kind === 'harmless' || operations.some((id) => shownAt.includes(id)))
    .map(({ level }) => level);
  if (levels.includes('must')) return 'caught';
  return levels.length > 0 ? 'warned' : 'missed';
}

function changesFolder(service: string): string {
  return join(stacksFolder, 'changes', service);
}
