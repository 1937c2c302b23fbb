import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { formats } from '../reporters/formats.ts';
import { packageRoot } from '../spec/package-root.ts';
import { test } from './in-process-for-tests.ts';

const guide = await readFile(join(packageRoot, 'docs', 'reports.md'), 'utf8');

test('docs/reports.md has commands that work, in its order', async ({ folder, cli }) => {
  // printed-commands.spawned.test.ts runs replays, which need a finding.
  const commands = [...guide.matchAll(/^npx commerce-conformance (?!replay)(.+)$/gm)].map(([, args = '']) =>
    args.split(' '),
  );
  expect(commands.map(([name]) => name)).toEqual(['run', 'render', 'render', 'render']);
  for (const args of commands) {
    const { exitCode, stderr } = await cli(args);
    expect(exitCode, `${args.join(' ')}: ${stderr}`).toBe(0);
  }
  expect((await readdir(join(folder, 'conformance-report'))).sort()).toEqual([
    'allure-results',
    'badge.json',
    'badge.svg',
    'evidence.har',
    'junit.xml',
    'report.json',
    'summary.md',
  ]);
  expect(await readdir(join(folder, 'build', 'test-results'))).toEqual(['junit.xml']);
});

test('docs/reports.md lists every format with what it writes', () => {
  const table = guide.split('\n\n').find((block) => block.startsWith('| format |')) ?? '';
  const rows = [...table.matchAll(/^\| `([a-z]+)` \| (`.+?`) \|/gm)].map(([, name, files]) => [name, files]);
  expect(rows).toEqual(
    formats.map(({ name, files, folder }) => [
      name,
      [...files, ...(folder ? [`${folder.name}/`] : [])].map((file) => `\`${file}\``).join(', '),
    ]),
  );
});
