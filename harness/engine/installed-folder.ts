import { packageRoot } from '../../spec/package-root.ts';
import { UsageError } from '../usage-error.ts';

/** Throws where the path of the installation contains a character that the test runner misreads, as it treats paths as URLs. */
export function refuseInstalledFolder(root: string = packageRoot): void {
  const [character] = /[%#?]/.exec(root) ?? [];
  if (character === undefined) return;
  throw new UsageError({
    where: root,
    what: `commerce-conformance cannot run from a folder with ${character} in its path`,
    remedy: 'install it elsewhere, or rename the folder; spaces and letters of any kind are fine',
  });
}
