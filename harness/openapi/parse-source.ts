import { LineCounter } from 'yaml';
import { parseYaml } from '../parse-yaml.ts';
import { UsageError } from '../usage-error.ts';
import { type SourceText, showPlace } from './read-source.ts';

/** Reads JSON or YAML; throws a UsageError with line and column. */
export function parseSource({ text, url }: SourceText): unknown {
  const where = showPlace(url);
  if (/^\s*</.test(text)) {
    throw new UsageError({
      what: 'this is HTML or XML, not an OpenAPI document',
      where,
      remedy: 'give the document itself, not a page that shows it',
    });
  }
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // YAML's flow style begins alike; if it is not that either, YAML's error names the line.
    }
  }
  return fromYaml(text, where);
}

function fromYaml(text: string, where: string): unknown {
  const lines = new LineCounter();
  try {
    const [document] = parseYaml(text, { lines, merge: true });
    const [error] = document?.errors ?? [];
    if (error !== undefined) {
      const { line, col } = lines.linePos(error.pos[0]);
      throw new UsageError({
        what: 'this is neither YAML nor JSON',
        where: `${where}:${line}:${col}`,
        why: error.message.split('\n', 1)[0] ?? '',
      });
    }
    return document?.toJS({ maxAliasCount: 10_000 });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError({ what: 'the document cannot be read', where, why: (error as Error).message });
  }
}
