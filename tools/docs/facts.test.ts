import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { planCases } from '../../harness/engine/run/plan.ts';
import { mostShards } from '../../harness/engine/shards/divide-plan.ts';
import { defaultOptions } from '../../harness/target/default-options.ts';
import { packageRoot } from '../../spec/package-root.ts';

const { contract, requirements, checks } = await loadCatalogue();
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

  test('count operations as the contract does', () => {
    const counts = found(/\b(\d+) operations\b(?! (?:of|whose|pass|at))/g).filter(
      ({ file }) => file === 'README.md',
    );
    expect(counts.map(({ name }) => Number(name))).toEqual(counts.map(() => contract.operations.length));
  });

  test('state the digest of the contract', () => {
    const stated = found(/(sha256:[0-9a-f]{64})/g).filter(({ file }) => file === 'docs/faq.md');
    expect(stated.map(({ name }) => name)).toEqual([contract.digest]);
  });

  test('state the largest number of shards', () => {
    const most = mostShards(planCases(contract, checks, requirements, defaultOptions));
    const stated = found(/(?:The maximum is|at most) (\d+)(?: shards| jobs|; more than three)/g);
    expect(stated.length).toBeGreaterThan(0);
    for (const { name, file } of stated) expect(Number(name), file).toBe(most);
  });

  test('use one version of each action in the examples', () => {
    const versions = new Map<string, Set<string>>();
    for (const { name } of found(/uses: (actions\/[\w-]+@v\d+)$/gm)) {
      const [action = '', version = ''] = name.split('@');
      versions.set(action, (versions.get(action) ?? new Set()).add(version));
    }
    expect(versions.size).toBeGreaterThan(0);
    for (const [action, used] of versions) expect([...used], action).toHaveLength(1);
  });
});
