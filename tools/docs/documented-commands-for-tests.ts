import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../spec/package-root.ts';

/** A page, and the commands that it tells its readers to type, in its order. */
export interface DocumentedPage {
  /** Path from the root of the package. */
  readonly page: string;
  /** One shell command each, continued lines joined, comments taken off. */
  readonly commands: readonly string[];
}

/** All commands in fenced `sh` and `console` blocks, and those of ours that stand in a line of text. */
export async function documentedCommands(): Promise<readonly DocumentedPage[]> {
  const guides = (await readdir(join(packageRoot, 'docs'))).filter((name) => name.endsWith('.md')).sort();
  const pages = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', ...guides.map((name) => `docs/${name}`)];
  const read = await Promise.all(
    pages.map(async (page) => ({
      page,
      commands: commandsIn(await readFile(join(packageRoot, page), 'utf8')),
    })),
  );
  return read.filter(({ commands }) => commands.length > 0);
}

const block =
  /^ *```(?:sh|console|bash|shell)\n([\s\S]*?)^ *```|`((?:npx commerce-conformance|npm run|npx changeset)[^`\n]*)`/gm;

/** The commands of a Markdown text. */
export function commandsIn(markdown: string): readonly string[] {
  // Other blocks are not looked into: what stands there is output, or code.
  const text = markdown.replaceAll(/^ *```(?!(?:sh|console|bash|shell)\n)\w+\n[\s\S]*?^ *```/gm, '');
  return [...text.matchAll(block)].flatMap(([, lines, inline = '']) =>
    (lines === undefined ? [inline] : lines.replaceAll(/\\\n\s*/g, '').split('\n'))
      .map((line) =>
        line
          .replace(/^\s*(?:\$ )?/, '')
          .replace(/(?:^|\s+)#\s.*$/, '')
          .trim(),
      )
      .filter((line) => line !== ''),
  );
}
