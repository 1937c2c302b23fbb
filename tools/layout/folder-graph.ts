import { readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';

/** The folders from bottom to top: each imports from those before it alone, types included. */
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
    'checks',
    'stories',
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

/** Every import in the source files below a folder that the order of folders forbids. */
export async function forbiddenImports(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of await sourceFiles(root)) {
    const text = await readFile(posix.join(root, path), 'utf8');
    for (const specifier of relativeImports(text)) {
      const target = posix.join(posix.dirname(path), specifier);
      if (!mayImport(folderOf(path), folderOf(target))) found.push(`${path} imports ${target}`);
    }
  }
  return found.sort();
}

/** Source files of all folders, without tests, which may import from everywhere. */
async function sourceFiles(root: string): Promise<readonly string[]> {
  const tops = [...new Set(folderOrder.map((folder) => folder.split('/')[0] ?? ''))];
  const files = tops.map(async (top) => {
    const names = await readdir(posix.join(root, top), { recursive: true }).catch(() => []);
    return names.map((name) => posix.join(top, name));
  });
  return (await Promise.all(files))
    .flat()
    .filter(
      (path) => path.endsWith('.ts') && !/(?:\.test|-for-tests)\.ts$|\/(?:testing|consumer)\//.test(path),
    );
}

function relativeImports(text: string): readonly string[] {
  return [...text.matchAll(/(?:^|[\s}])(?:from|import)\s*\(?\s*'(\.[^']+)'/gm)].map(
    ([, specifier = '']) => specifier,
  );
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
