import { dirname } from 'node:path';
import type { Contract } from '../../spec/contract.ts';
import type { Target } from '../model/target.ts';
import { readTextFile } from '../read-text-file.ts';
import { type Environment, targetFromObject } from './target-description.ts';
import { parseTargetDocument } from './target-document.ts';

const haveOneWritten = 'create one: npx commerce-conformance init';

/** Reads a target file, YAML or JSON; all its problems are thrown as one UsageError, sorted by line. */
export async function readTargetFile(path: string, env: Environment, contract: Contract): Promise<Target> {
  return readTargetText(await readTextFile(path, 'target file', haveOneWritten), path, env, contract);
}

/** Reads the text of the target file at this path. */
export function readTargetText(text: string, path: string, env: Environment, contract: Contract): Target {
  const document = parseTargetDocument(text, path, `set at least baseUrl, or ${haveOneWritten}`);
  const target = targetFromObject(document.value, path, contract, env, {
    ...document,
    folder: dirname(path),
  });
  const names = namesFromEnvironment(document.value);
  return names.length === 0 ? target : { ...target, headersFromEnvironment: names };
}

/** The headers with values from the environment, which are mostly secret. */
function namesFromEnvironment(description: unknown): readonly string[] {
  const { headers } = description as { readonly headers?: object };
  return Object.entries(headers ?? {})
    .filter(([, value]) => typeof value === 'string' && /(?<!\$)\$\{/.test(value))
    .map(([name]) => name.toLowerCase());
}
