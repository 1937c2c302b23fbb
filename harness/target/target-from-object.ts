import type { Contract } from '../../spec/contract.ts';
import type { Target } from '../model/target.ts';
import { type Environment, readEnvironment } from './environment-variables.ts';
import { plainJson } from './plain-json.ts';
import { readDescription } from './target-description.ts';
import { type TargetProblem, usageErrorOf } from './target-problem.ts';
import { isScalarOption } from './target-schema.ts';

/** Reads a description in the format of the target file from memory; `${NAME}` is read only where `env` is given. */
export function targetFromObject(
  object: unknown,
  where: string,
  contract: Contract,
  env?: Environment,
): Target {
  const problems: TargetProblem[] = [];
  const plain = plainJson(object, problems);
  const description = env === undefined ? plain : readEnvironment(plain, env, isScalarOption, problems);
  const target = readDescription(description, contract, problems);
  if (problems.length > 0) throw usageErrorOf(problems, where);
  return target;
}
