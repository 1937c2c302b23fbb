import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import ts from '@typescript/typescript6';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../spec/package-root.ts';

/** The folders from bottom to top: each imports only from those before it, types included. */
const folderOrder: readonly string[] = [
  'fixtures',
  'spec',
  'harness',
  ...[
    'sampling',
    'model',
    'evidence',
    'http',
    'openapi',
    'pacing',
    'fuzzing',
    'requests',
    'calls',
    'checks',
    'target',
    'results',
    'certification',
    'engine',
  ].map((name) => `harness/${name}`),
  'suites',
  'reporters',
  'cli',
  'api',
  'tools',
];

/** Folders that import nothing from some folders below them. */
const separate: Readonly<Record<string, readonly string[]>> = {
  spec: ['fixtures'],
  harness: ['fixtures'],
  suites: ['fixtures'],
  reporters: ['fixtures', 'suites'],
};

/** Every import in the source files below a folder that the order of folders forbids; tests may import everything. */
async function forbiddenImports(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const top of new Set(folderOrder.map((folder) => folder.split('/')[0] ?? ''))) {
    for (const name of await readdir(join(root, top), { recursive: true }).catch(() => [])) {
      const path = posix.join(top, name);
      if (!path.endsWith('.ts') || /(?:\.test|-for-tests)\.ts$|\/(?:testing|consumer)\//.test(path)) continue;
      const { importedFiles } = ts.preProcessFile(await readFile(join(root, path), 'utf8'));
      for (const { fileName } of importedFiles.filter((one) => one.fileName.startsWith('.'))) {
        const target = posix.join(posix.dirname(path), fileName);
        if (!mayImport(folderOf(path), folderOf(target))) found.push(`${path} imports ${target}`);
      }
    }
  }
  return found.sort();
}

function folderOf(path: string): string {
  const [top = '', below = '', ...rest] = path.split('/');
  return top === 'harness' && rest.length > 0 ? `harness/${below}` : top;
}

function mayImport(from: string, to: string): boolean {
  if (from === to) return true;
  if (separate[from.split('/')[0] ?? '']?.includes(to) === true) return false;
  return folderOrder.includes(to) && folderOrder.indexOf(to) < folderOrder.indexOf(from);
}

test('folders import only from folders below them', async () => {
  expect(await forbiddenImports(packageRoot)).toEqual([]);
});

test.each([
  ['a type from above', 'harness/model/a.ts', "import type { Run } from '../engine/run.ts';"],
  ['a value in a re-export', 'harness/http/a.ts', "export { reduce } from '../fuzzing/reduce.ts';"],
  ['an import at run time', 'harness/engine/a.ts', "const a = await import('../../reporters/formats.ts');"],
  ['an import for its effect', 'spec/a.ts', "import '../harness/identity.ts';"],
  ['several lines', 'reporters/a.ts', "import {\n  type A,\n} from '../suites/a.ts';"],
  ['a fixture from a check', 'suites/a/a.check.ts', "import { a } from '../../fixtures/a.ts';"],
  ['the harness from a fixture', 'fixtures/a.ts', "import type { A } from '../harness/model/a.ts';"],
])('finds %s', async (_, path, text) => {
  const root = await mkdtemp(join(tmpdir(), 'folder-graph-'));
  onTestFinished(() => rm(root, { recursive: true }));
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
  expect(await forbiddenImports(root)).toEqual([expect.stringContaining(`${path} imports `)]);
});
