import { parseChallenge } from '../harness/certification/challenge.ts';
import { readTextFile } from '../harness/read-text-file.ts';
import { UsageError } from '../harness/usage-error.ts';

/** The challenge in a file, its owner's signature verified. */
export async function readChallengeFile(file: string): Promise<ReturnType<typeof parseChallenge>> {
  const text = await readTextFile(file, 'challenge', 'ask the programme owner for it');
  try {
    return parseChallenge(text);
  } catch (error) {
    throw new UsageError({
      where: '--challenge',
      what: `${file} is not a challenge`,
      why: `it ${(error as Error).message}`,
      remedy: 'use the file as the programme owner sent it',
    });
  }
}
