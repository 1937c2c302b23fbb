import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../spec/package-root.ts';

/** More words than this in one sentence are too many to read at once. */
const mostWords = 40;

/** Words that add nothing, and abbreviations that readers have to translate. */
const fillers =
  /\b(?:simply|easily|please note|in order to|utili[sz]e|leverage|basically|obviously|of course|etc\.|e\.g\.|i\.e\.|thereby|hereby|whilst)|\.\.\./i;

const generated = ['checks.md', 'glossary.md', 'performance.md', 'proof.md'];
const guides = readdirSync(join(packageRoot, 'docs')).filter(
  (name) => name.endsWith('.md') && !generated.includes(name),
);
const pages = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', ...guides.map((name) => `docs/${name}`)];

/** The sentences of a page, without code, tables and headings. */
function sentencesOf(markdown: string): readonly string[] {
  return markdown
    .replaceAll(/^ *```[\s\S]*?^ *```/gm, '\n')
    .replaceAll(/`[^`\n]*`/g, 'code')
    .replaceAll(/^ *[|#].*$/gm, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .flatMap((paragraph) => paragraph.replaceAll(/\s+/g, ' ').split(/(?<=[.!?:;]) /));
}

test.each(pages)('%s has short sentences and no filler', (page) => {
  const sentences = sentencesOf(readFileSync(join(packageRoot, page), 'utf8'));
  expect(sentences.length).toBeGreaterThan(1);
  expect(sentences.filter((sentence) => sentence.split(' ').length > mostWords)).toEqual([]);
  expect(sentences.filter((sentence) => fillers.test(sentence))).toEqual([]);
});
