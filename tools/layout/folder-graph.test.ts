import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../spec/package-root.ts';
import { forbiddenImports } from './folder-graph.ts';

test('folders import from folders below them alone', async () => {
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
