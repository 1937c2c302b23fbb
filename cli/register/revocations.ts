import { join } from 'node:path';
import { validated } from '../../harness/certification/signed-document.ts';
import { parseYaml } from '../../harness/parse-yaml.ts';
import { readTextFile } from '../../harness/read-text-file.ts';
import { UsageError } from '../../harness/usage-error.ts';

/** The file of a register that lists withdrawn certificates. */
export const revocationsName = 'revocations.yaml';

/** A certificate that the owner withdrew. */
export interface Revocation {
  /** SHA-256 of the certificate's payload; absent where the run is named. */
  readonly certificate?: string;
  /** Id of the run: revokes every certificate of it, one that is issued again as well. */
  readonly run?: string;
  /** Day of the withdrawal. */
  readonly date: string;
  readonly reason: string;
}

function revocationsIn(text: string): unknown {
  const [document] = parseYaml(text);
  const [error] = document?.errors ?? [];
  if (error !== undefined) throw error;
  return document?.toJS();
}

/** The revocations of a register folder by certificate; a file that cannot be read stops the build. */
export async function readRevocations(
  folder: string,
  hasFile: boolean,
): Promise<ReadonlyMap<string, Revocation>> {
  if (!hasFile) return new Map();
  const path = join(folder, revocationsName);
  const text = await readTextFile(path, 'list of revocations', 'leave it out');
  try {
    const list = validated<readonly Revocation[]>(revocationsIn(text) ?? [], 'revocations.schema.json');
    return new Map(list.map((one) => [one.certificate ?? one.run ?? '', one]));
  } catch (error) {
    throw new UsageError({
      where: path,
      what: `it ${(error as Error).message.split('\n', 1)[0]}`,
      remedy: 'write a list of certificate, date and reason',
    });
  }
}
