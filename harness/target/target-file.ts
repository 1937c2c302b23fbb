import { dirname } from 'node:path';
import type { Contract } from '../../spec/contract.ts';
import type { Json, Target } from '../model/target.ts';
import { readTextFile } from '../read-text-file.ts';
import { type Environment, readEnvironment } from './environment-variables.ts';
import { plainJson } from './plain-json.ts';
import { isScalarOption, readDescription } from './target-description.ts';
import { parseTargetDocument } from './target-document.ts';
import { type TargetProblem, usageErrorOf } from './target-problem.ts';

const haveOneWritten = 'have one written: npx commerce-conformance init';

/** Reads a target file, YAML or JSON; all its problems are thrown as one UsageError, sorted by line. */
export async function readTargetFile(path: string, env: Environment, contract: Contract): Promise<Target> {
  return readTargetText(await readTextFile(path, 'target file', haveOneWritten), path, env, contract);
}

/** Reads the text of the target file at this path. */
export function readTargetText(text: string, path: string, env: Environment, contract: Contract): Target {
  const { value, locate, sourceOf } = parseTargetDocument(
    text,
    path,
    `give it a baseUrl at least, or ${haveOneWritten}`,
  );
  const problems: TargetProblem[] = [];
  const plain = plainJson(value, problems);
  const description = readEnvironment(plain, env, isScalarOption, problems);
  const target = readDescription(description, contract, problems, sourceOf, dirname(path));
  if (problems.length > 0) throw usageErrorOf(problems, path, locate);
  const names = namesFromEnvironment(plain);
  return names.length === 0 ? target : { ...target, headersFromEnvironment: names };
}

/** What stands in the environment is mostly there because it must not stand in a file. */
function namesFromEnvironment(plain: Json): readonly string[] {
  const { headers } = plain as { readonly headers?: Json };
  return Object.entries(headers ?? {})
    .filter(([, value]) => typeof value === 'string' && /(?<!\$)\$\{/.test(value))
    .map(([name]) => name.toLowerCase());
}
