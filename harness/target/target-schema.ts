import { nearestName } from './nearest-name.ts';
import { type FileKind, fileKind } from './schema-problems.ts';
import type { KeyPath } from './target-problem.ts';

/** Options that stand elsewhere in the file than on the command line. */
const MOVED: Readonly<Record<string, string>> = {
  baseUrl: 'baseUrl, at the top level',
  key: 'keys.scoped',
  unscopedKey: 'keys.unscoped',
  header: 'headers, at the top level',
};

/** Target files, as spec/target.schema.json describes them. */
export const targetFileKind: FileKind = fileKind('target.schema.json', 'the target description', {
  isSecret: ([group]) => group === 'keys' || group === 'headers' || group === 'authorization',
  misplaced,
});

const options = targetFileKind.schema.properties?.['options']?.properties ?? {};

/** Whether the schema wants a number or true/false at this path. */
export function isScalarOption(path: KeyPath): boolean {
  const [group, name] = path;
  if (path.length !== 2 || group !== 'options' || typeof name !== 'string') return false;
  const type = Object.hasOwn(options, name) ? options[name]?.type : undefined;
  return type === 'integer' || type === 'number' || type === 'boolean';
}

function misplaced(path: KeyPath, key: string, known: readonly string[]): string | undefined {
  const inOptions = path.length === 1 && path[0] === 'options';
  const moved = inOptions && Object.hasOwn(MOVED, key) ? MOVED[key] : undefined;
  if (moved !== undefined) return `write it as ${moved}`;
  const option = path.length === 0 ? nearestName(key, Object.keys(options)) : undefined;
  if (option === undefined || (option !== key && nearestName(key, known) !== undefined)) return undefined;
  return `write it below options, as ${option}`;
}
