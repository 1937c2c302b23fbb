import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { packageRoot } from '../../spec/package-root.ts';

const { requirements, checks } = await loadCatalogue();
const files = execFileSync(
  'git',
  ['ls-files', '*.md', 'docs', 'spec', 'action.yml', '.github', ':!CHANGELOG.md', ':!docs/images'],
  { cwd: packageRoot, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => /\.(?:md|ya?ml|json)$/.test(file));
const texts = files.map((file) => ({ file, text: readFileSync(join(packageRoot, file), 'utf8') }));

function found(pattern: RegExp): ReadonlyArray<{ readonly file: string; readonly name: string }> {
  return texts.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map(({ 1: name = '' }) => ({ file, name })),
  );
}

describe('facts that docs repeat', () => {
  test('name checks that exist', () => {
    const areas = [...new Set(checks.map(({ id }) => id.split('/')[0]))].join('|');
    const ids = new Set(checks.map(({ id }) => id));
    const named = found(
      new RegExp(`(?<![\\w/.-])((?:${areas})/[a-z0-9]+(?:-[a-z0-9]+){2,})(?![\\w./-])`, 'g'),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ name }) => !ids.has(name))).toEqual([]);
  });

  test('name requirements that exist', () => {
    const ids = new Set(requirements.map(({ id }) => id));
    const families = [...new Set(requirements.map(({ id }) => id.split('-')[0]))].join('|');
    const named = found(new RegExp(`(?<![\\w-])((?:${families})-\\d+)\\b`, 'g'));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ name }) => !ids.has(name))).toEqual([]);
  });
});
