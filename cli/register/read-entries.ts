import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Claims, type LevelOfTrust, reaches } from '../../harness/certification/claims.ts';
import { validated } from '../../harness/certification/envelope.ts';
import { readCertificate } from '../../harness/certification/read-certificate.ts';
import { certificateDigest } from '../../harness/certification/spot-check.ts';
import type { CertifiedFiles } from '../../harness/engine/verify/verify-certificate.ts';
import { groupBy } from '../../harness/group-by.ts';
import type { Day, Sha256 } from '../../harness/model/formats.ts';
import { parseYaml } from '../../harness/parse-yaml.ts';
import { readTextFile } from '../../harness/read-text-file.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { type Requirements, readCertifiedFolder, verifyFiles } from '../verify-folder.ts';

/** A verified certificate of a register. */
export interface Entry {
  /** Name of its folder. */
  readonly name: string;
  /** Name of its folder in the site: some file systems and web servers ignore letter case. */
  readonly place: string;
  readonly status: 'valid' | 'expired' | 'revoked';
  readonly level: LevelOfTrust;
  /** SHA-256 of the certificate's payload. */
  readonly certificate: string;
  readonly claims: Claims;
  readonly revocation: Revocation | undefined;
}
interface RegisterTerms {
  readonly requirements: Requirements;
  readonly level: LevelOfTrust;
  readonly now: Date;
}

/** Whether a folder may be an entry: its name becomes part of URLs and commands. */
export function isEntryName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name);
}

/** The content of a register. */
export interface Register {
  readonly entries: readonly Entry[];
  /** Folders that it does not list. */
  readonly refused: readonly { readonly name: string; readonly why: readonly string[] }[];
  readonly revocations: readonly Revocation[];
  /** Problems for its owner, in a sentence each. */
  readonly doubts: readonly string[];
}

/** The content of a register folder. */
export function filesIn(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: Error) => {
    throw new UsageError({ where: folder, what: 'cannot be read', why: error.message });
  });
}

/** Verifies every subfolder of a register; `publish` receives the files of each entry, which are not kept. */
export async function readEntries(
  folder: string,
  terms: RegisterTerms,
  publish: (entry: Entry, files: CertifiedFiles) => Promise<void>,
): Promise<Register> {
  const found = await filesIn(folder);
  const revocations = await readRevocations(folder, found);
  const names = found.filter((one) => one.isDirectory() && !one.name.startsWith('.')).map(({ name }) => name);
  const entries: Entry[] = [];
  const links = found.filter((one) => one.isSymbolicLink());
  const refused = links.map(({ name }) => ({ name, why: ['it is a link'] }));
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  names.sort((a, b) => compare(a.toLowerCase(), b.toLowerCase()) || compare(b, a));
  const alike = groupBy(names, (name) => name.toLowerCase());
  for (const name of names) {
    try {
      const { files, entry: read } = await readEntry(join(folder, name), name, terms, revocations);
      const isAlone = alike.get(name.toLowerCase())?.length === 1;
      const digest = read.certificate.replace(/^.*:/, '').slice(0, 8);
      const entry = { ...read, place: isAlone ? name : `${name}-${digest}` };
      await publish(entry, files);
      entries.push(entry);
    } catch (error) {
      refused.push({ name, why: (error as Error).message.split('\n') });
    }
  }
  const used = new Set(entries.map(({ revocation }) => revocation));
  const listed = [...revocations.values()];
  const unused = listed.filter((one) => !used.has(one));
  const byRun = groupBy(entries, ({ claims }) => claims.runId);
  const answers = [...byRun.values()].map((same) => same.map(({ name }) => name));
  const several = (groups: Iterable<readonly string[]>): readonly string[] =>
    [...groups].filter(({ length }) => length > 1).map((group) => group.join(' and '));
  const doubts = [
    // None of them takes the place of another: which one is a copy, no file says.
    ...several(answers).map((them) => `${them} answer the same challenge: keep one`),
    ...several(alike.values()).map((them) => `${them} differ in letter case alone: rename one`),
    ...unused.map(({ certificate, run }) => `${revocationsName}: no entry is ${certificate ?? run}`),
  ];
  return { entries, refused, revocations: listed, doubts };
}

/** Verifies one subfolder of a register; throws where it is none of its entries. */
export async function readEntry(
  folder: string,
  name: string,
  { requirements, level: required, now }: RegisterTerms,
  revocations: ReadonlyMap<string, Revocation>,
): Promise<{ readonly entry: Omit<Entry, 'place'>; readonly files: CertifiedFiles }> {
  if (!isEntryName(name))
    throw new Error(
      'the name of the folder has characters other than letters, digits, dot, hyphen and underscore',
    );
  const files = await readCertifiedFolder(folder);
  const certificate = readCertificate(files.certificate ?? '');
  const expires = Date.parse(certificate.statement.predicate.expiresAt);
  const isExpired = expires <= now.getTime();
  // An expired certificate is listed as such if it was valid until then.
  const asOf = isExpired ? new Date(expires - 1) : now;
  const { problems, unknowns, level, claims } = await verifyFiles(files, requirements, asOf);
  if (level === undefined || claims === undefined) throw new Error([...problems, ...unknowns].join('\n'));
  if (!reaches(level, required))
    throw new Error(`the level of trust is only ${level}; required: ${required}`);
  const digest = certificateDigest(certificate.envelope);
  const revocation = revocations.get(digest) ?? revocations.get(claims.runId);
  const status = revocation !== undefined ? 'revoked' : isExpired ? 'expired' : 'valid';
  return { entry: { name, status, level, certificate: digest, claims, revocation }, files };
}
const revocationsName = 'revocations.yaml';

/** A certificate that the owner withdrew. @minProperties 3 @maxProperties 3 */
export interface Revocation {
  /** SHA-256 of the certificate's payload; absent where the run is named. */
  readonly certificate?: Sha256;
  /** Id of the run: revokes every certificate of it, one that is issued again as well. @pattern ^conformance-[0-9a-f]{8,64}$ */
  readonly run?: string;
  /** Day of the withdrawal. */
  readonly date: Day;
  /** @minLength 1 @maxLength 1000 */
  readonly reason: string;
}

/** Certificates that the programme owner withdrew; revocations.yaml. */
export type Revocations = readonly Revocation[];

/** The revocations of a register folder by certificate; a file that cannot be read stops the build. */
export async function readRevocations(
  folder: string,
  files: ReadonlyArray<{ readonly name: string }>,
): Promise<ReadonlyMap<string, Revocation>> {
  const names = files.map(({ name }) => name);
  const unread = names.find((name) => name !== revocationsName && /^\.?revocations?\b/i.test(name));
  if (unread !== undefined)
    throw new UsageError({
      where: join(folder, unread),
      what: 'nobody reads this file',
      remedy: `name it ${revocationsName}`,
    });
  if (!names.includes(revocationsName)) return new Map();
  const path = join(folder, revocationsName);
  const text = await readTextFile(path, 'list of revocations', 'leave it out');
  try {
    const [document, another] = parseYaml(text);
    if (another !== undefined) throw new Error('it holds more than one document');
    const [error] = document?.errors ?? [];
    if (error !== undefined) throw error;
    const list = validated<Revocations>(document?.toJS() ?? [], 'revocations.schema.json');
    return new Map(list.map((one) => [one.certificate ?? one.run ?? '', one]));
  } catch (error) {
    throw new UsageError({
      where: path,
      what: 'the file does not hold a list of revocations',
      why: (error as Error).message.replace(/\n.*/s, ''),
      remedy: 'write a list of certificate, date and reason',
    });
  }
}
