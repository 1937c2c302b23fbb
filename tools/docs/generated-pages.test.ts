import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../spec/package-root.ts';
import { generatedPages } from './generated-pages.ts';

const pages = await generatedPages();

test.each([...pages])('%s is what the code says; npm run docs writes it', async (name, text) => {
  const found = await readFile(join(packageRoot, name), 'utf8');
  // The formatter breaks lines of JSON otherwise.
  if (name.endsWith('.json')) expect(JSON.parse(found)).toEqual(JSON.parse(text));
  else expect(found).toBe(text);
});

test('each number of faults leads to these faults', () => {
  const links = [...(pages.get('docs/contract.md') ?? '').matchAll(/\[(\d+)\]\(proof\.md#([^)]+)\)/g)];
  const sections = (pages.get('docs/proof.md') ?? '').split('\n### ').slice(1);
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
