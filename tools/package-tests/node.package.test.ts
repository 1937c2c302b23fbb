import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command, evaluates, folderWith, nodeOf, plainProject, run } from './sandbox-for-tests.ts';

test.for([20, 22, 24, 26])('the package runs on Node %i', async (major) => {
  const node = await nodeOf(major);
  const folder = await folderWith(`on-node-${major}`);
  expect(await run(node, ['--version'], folder)).toMatch(new RegExp(`^v${major}\\.`));
  const main = join(await plainProject(), 'node_modules', command, 'dist', 'cli', 'main.js');
  await evaluates(node, [main], folder);
});
