import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../spec/package-root.ts';
import type { Section } from '../section.ts';

/** Packages that have a row of their own. */
const listed = 8;

interface Lock {
  readonly packages: Readonly<Record<string, { dev?: true; devOptional?: true; peer?: true }>>;
}

/** The dependencies of an installation. */
export const installedSize: Section = {
  name: 'size',
  title: 'The size of an installation',
  method:
    'All packages that `npm install commerce-conformance` installs beside it, on disk: the largest, and their sum.',
  async measure() {
    const { packages } = JSON.parse(readFileSync(join(packageRoot, 'package-lock.json'), 'utf8')) as Lock;
    const sizes = Object.entries(packages)
      .filter(([path, one]) => path !== '' && !one.dev && !one.devOptional && !one.peer)
      // Packages for other platforms are not there.
      .filter(([path]) => existsSync(join(packageRoot, path)))
      .map(([path]) => {
        const du = ['-sk', '--exclude=node_modules', '.'];
        const size = execFileSync('du', du, { cwd: join(packageRoot, path), encoding: 'utf8' });
        return { name: path.replace(/^.*node_modules\//, ''), kilobytes: Number.parseInt(size, 10) };
      })
      .sort((a, b) => b.kilobytes - a.kilobytes);
    const row = (name: string, all: typeof sizes): readonly string[] => [
      name,
      (all.reduce((sum, { kilobytes }) => sum + kilobytes, 0) / 1024).toFixed(1),
    ];
    const rows = sizes.slice(0, listed).map((one) => row(one.name, [one]));
    return { head: ['package', 'MB'], rows: [...rows, row(`all ${sizes.length} packages`, sizes)] };
  },
};
