import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findPackageRoot, packageRoot } from './package-root.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'package root '));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('is the folder of our package.json', () => {
  const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { name: string };
  expect(manifest.name).toBe('commerce-conformance');
});

test('is found from dist/, past the packages of others', () => {
  const root = temporaryFolder();
  const start = join(root, 'dist', 'spec');
  mkdirSync(start, { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"name":"commerce-conformance"}');
  writeFileSync(join(root, 'dist', 'package.json'), '{"type":"module"}');
  expect(findPackageRoot(start)).toBe(root);
});

test('throws outside the package', () => {
  expect(() => findPackageRoot(temporaryFolder())).toThrow(/no package commerce-conformance at or above/);
});
