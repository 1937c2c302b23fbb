import { InvalidArgumentError } from 'commander';
import { type LevelOfTrust, levelsOfTrust } from '../../harness/certification/level-of-trust.ts';

/** Reads a level of trust. */
export function levelFlag(text: string): LevelOfTrust {
  const level = levelsOfTrust.find((one) => one === text);
  if (level === undefined)
    throw new InvalidArgumentError(`--require takes one of ${levelsOfTrust.join(', ')}.`);
  return level;
}
