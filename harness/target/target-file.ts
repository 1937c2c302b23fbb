import { readFile } from 'node:fs/promises';
import type { Contract } from '../../spec/contract.ts';
import { UsageError } from '../usage-error.ts';
import { type Environment, readEnvironment } from './environment-variables.ts';
import { plainJson } from './plain-json.ts';
import { isScalarOption } from './schema-problems.ts';
import type { Target } from './target.ts';
import { readDescription } from './target-description.ts';
import { parseTargetDocument } from './target-document.ts';
import { type TargetProblem, usageErrorOf } from './target-problem.ts';

/** Reads a target file, YAML or JSON; all its problems are thrown as one UsageError, sorted by line. */
export async function readTargetFile(path: string, env: Environment, contract: Contract): Promise<Target> {
  const { value, locate, sourceOf } = parseTargetDocument(await readText(path), path);
  const problems: TargetProblem[] = [];
  const plain = plainJson(value, problems);
  const description = readEnvironment(plain, env, isScalarOption, problems);
  const target = readDescription(description, contract, problems, sourceOf);
  if (problems.length > 0) throw usageErrorOf(problems, path, locate);
  return target;
}

async function readText(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    throw unreadable(path, (error as NodeJS.ErrnoException).code ?? '');
  }
}

function unreadable(path: string, code: string): UsageError {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new UsageError({
        what: 'the target file does not exist',
        where: path,
        remedy: 'check the path, or have one written: commerce-conformance init',
      });
    case 'EISDIR':
      return new UsageError({
        what: 'this is a directory, not a target file',
        where: path,
        remedy: 'name the file in it',
      });
    case 'EACCES':
    case 'EPERM':
      return new UsageError({
        what: 'the target file may not be read',
        where: path,
        remedy: 'check its permissions',
      });
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return new UsageError({
        what: 'the target file is not UTF-8',
        where: path,
        remedy: 'save it as UTF-8',
      });
    default:
      return new UsageError({ what: `the target file cannot be read (${code})`, where: path });
  }
}
