import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../spec/package-root.ts';
import { command, evaluates, installed, nodeOf, reportIn, run } from './sandbox-for-tests.ts';

const asJavaScript =
  /\/\*\* @type \{import\('commerce-conformance\/checks'\)\.CustomCheck\} \*\/\nconst check = /;

/** The checks of the guide by their files. */
async function checksOfGuide(): Promise<Readonly<Record<string, string>>> {
  const page = await readFile(join(packageRoot, 'docs', 'custom-checks.md'), 'utf8');
  const [guide = ''] = page.split('\n## Programmatic use');
  return Object.fromEntries(
    [...guide.matchAll(/```js\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(([, file = '', code = '']) => [file, code]),
  );
}

function inTypeScript(checks: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(checks).map(([file, code]) => [
      file.replace(/\.mjs$/, '.ts'),
      `import type { CustomCheck } from 'commerce-conformance/checks';\n${code.replace(asJavaScript, 'const check: CustomCheck = ')}`,
    ]),
  );
}

const manifest = '{ "private": true, "type": "module" }';

async function evaluatesChecks(project: string, node: string): Promise<void> {
  const main = join('node_modules', '.bin', command);
  await evaluates(node, [main], project, ['--checks', 'checks']);
  expect((await reportIn(project)).additional?.summary).toMatchObject({ pass: 1, warn: 14 });
}

test('checks of one’s own in JavaScript have sound types, and run', async () => {
  const checks = await checksOfGuide();
  const project = await installed('custom-checks', ['typescript@5.9', '@types/node@20'], {
    'package.json': manifest,
    ...checks,
  });
  const flags = [
    '--noEmit',
    '--allowJs',
    '--checkJs',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
  ];
  await run('npx', ['--no', '--', 'tsc', ...flags, ...Object.keys(checks)], project);
  await evaluatesChecks(project, process.execPath);
});

test('checks of one’s own in TypeScript run on Node 24', async () => {
  const project = await installed('custom-checks-in-typescript', [], {
    'package.json': manifest,
    ...inTypeScript(await checksOfGuide()),
  });
  await evaluatesChecks(project, await nodeOf(24));
});
