import { resolve } from 'node:path';
import { UsageError } from './usage-error.ts';

/**
 * The absolute form of a path that a user gave. To be taken once, before anything is sent: in a working folder that is
 * deleted later, relative paths lead nowhere, and creating folders recursively never ends. Throws a `UsageError` where
 * the working folder is gone already.
 */
export function absolutePath(path: string, workingFolder: () => string = () => process.cwd()): string {
  try {
    return resolve(workingFolder(), path);
  } catch {
    throw new UsageError({
      where: path,
      what: 'the working folder no longer exists',
      remedy: 'change to an existing folder and run again',
    });
  }
}
