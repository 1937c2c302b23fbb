import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../spec/package-root.ts';
import { generatedPages } from './generated-pages.ts';

const pages = await generatedPages();

test.each([...pages.keys()])('docs/%s is what the code says; npm run docs writes it', async (name) => {
  expect(await readFile(join(packageRoot, 'docs', name), 'utf8')).toBe(pages.get(name));
});

test('each number of faults leads to these faults', () => {
  const links = [...(pages.get('checks.md') ?? '').matchAll(/\[(\d+)\]\(proof\.md#([^)]+)\)/g)];
  const sections = (pages.get('proof.md') ?? '').split('\n### ').slice(1);
  const counts = new Map(
    sections.map((section) => {
      const [title = ''] = section.split('\n', 1);
      const rows = section.split('\n## ', 1)[0]?.match(/^\| `/gm) ?? [];
      return [title.replaceAll('/', ''), rows.length];
    }),
  );
  expect(links.length).toBeGreaterThan(40);
  for (const [, count, anchor = ''] of links) expect(counts.get(anchor), anchor).toBe(Number(count));
});
