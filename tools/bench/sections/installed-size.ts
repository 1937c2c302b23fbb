import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../spec/package-root.ts';
import type { Section } from '../section.ts';

interface LockedPackage {
  readonly dev?: true;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** What each dependency adds to an installation, with the packages that only it needs. */
export const installedSize: Section = {
  name: 'size',
  title: 'What an installation weighs',
  method:
    'The packages that `npm install commerce-conformance` brings along, on disk. Each direct dependency counts with the packages that ' +
    'no other direct dependency before it in the table needs.',
  async measure() {
    const lock = JSON.parse(readFileSync(join(packageRoot, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, LockedPackage>>;
    };
    const direct = Object.keys(lock.packages['']?.dependencies ?? {});
    const closures = direct.map((name) => ({ name, packages: closureOf(name, lock.packages) }));
    const weigh = (packages: readonly string[]): number =>
      packages.reduce((sum, path) => sum + kilobytesOf(path), 0);
    const heaviest = closures
      .map((one) => ({ ...one, size: weigh([...one.packages]) }))
      .sort((a, b) => b.size - a.size);
    const counted = new Set<string>();
    const rows = heaviest.map(({ name, packages }) => {
      const own = [...packages].filter((path) => !counted.has(path));
      for (const path of own) counted.add(path);
      return [name, String(own.length), megabytes(weigh(own))];
    });
    const total = weigh([...counted]);
    return {
      head: ['dependency', 'packages', 'MB'],
      rows: [...rows, ['all', String(counted.size), megabytes(total)]],
    };
  },
};

/** The installed folders of a package and of all that it needs. */
function closureOf(name: string, packages: Readonly<Record<string, LockedPackage>>): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (wanted: string, from: string): void => {
    const path = resolved(wanted, from, packages);
    if (path === undefined || found.has(path)) return;
    found.add(path);
    const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {};
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      visit(next, path);
  };
  visit(name, '');
  return found;
}

function resolved(
  name: string,
  from: string,
  packages: Readonly<Record<string, LockedPackage>>,
): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path] !== undefined && packages[path].dev !== true) return path;
    if (folder === '') return undefined;
  }
}

/** Size of a folder without the packages nested in it; packages for other platforms are not there. */
function kilobytesOf(path: string): number {
  try {
    const args = ['-sk', '--exclude=node_modules', '.'];
    return Number.parseInt(execFileSync('du', args, { cwd: join(packageRoot, path), encoding: 'utf8' }), 10);
  } catch {
    return 0;
  }
}

function megabytes(kilobytes: number): string {
  return (kilobytes / 1024).toFixed(1);
}
