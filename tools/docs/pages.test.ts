import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../spec/package-root.ts';

const read = (...path: readonly string[]): Promise<string> => readFile(join(packageRoot, ...path), 'utf8');

test('CONTRIBUTING shows a check as it is', async () => {
  const shown = /^ {3}```ts\n([\s\S]*?)^ {3}```/m.exec(await read('CONTRIBUTING.md'))?.[1] ?? '';
  expect(shown.replaceAll(/^ {3}/gm, '')).toBe(await read('suites', 'success', 'success-is-200.check.ts'));
});

describe('links of the pages lead somewhere', async () => {
  const guides = (await readdir(join(packageRoot, 'docs'))).filter((name) => name.endsWith('.md'));
  const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...guides.map((name) => `docs/${name}`)];
  test.each(pages)('%s', async (page) => {
    const text = await read(page);
    for (const [, link = ''] of text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
      const [file = '', anchor] = link.split('#');
      const path = file === '' ? page : join(dirname(page), file);
      const there = await read(path).catch((error: NodeJS.ErrnoException) =>
        error.code === 'EISDIR' ? '' : undefined,
      );
      expect(there, `${page} links to ${link}`).toBeDefined();
      if (anchor !== undefined) expect(anchorsOf(there ?? ''), `${page} links to ${link}`).toContain(anchor);
    }
  });
});

/** The anchors that GitHub gives to headings, and those that a page names itself. */
function anchorsOf(markdown: string): readonly string[] {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...headings, ...[...markdown.matchAll(/<a id="([\w-]+)">/g)].map(([, id = '']) => id)];
}
