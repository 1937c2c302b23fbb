import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { firstFew } from '../../harness/first-few.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { writeAtomically } from '../../harness/write-atomically.ts';
import { escapeText } from '../../reporters/model/wording.ts';
import type { CommandFlags } from '../../spec/command-options.ts';
import type { CommandDefinition } from '../command-list.ts';
import { readPublicKeyFile } from '../options/pem-files.ts';
import { readEntries } from '../register/read-entries.ts';
import { renderBadgeOf, renderEntry, renderIndex, renderJson } from '../register/render-register.ts';
import { certificateName, evidenceName, reportName } from '../report-folder/report-dir.ts';

const jsonName = 'certified.json';
const pageName = 'index.html';
const entriesName = 'entries';
/** Reasons that are printed for an entry that is not listed. */
const mostReasons = 8;

/** `register`: the public list of certificates as a static site. */
export const command: CommandDefinition = {
  after: `Each subfolder holds the three files of one certificate. DIR/revocations.yaml lists withdrawn certificates.

Example:
  npx commerce-conformance register certificates --owner-key owner-public.pem --out site

Exit codes: 0 every folder is listed, 1 some are refused (the others
are listed), or two answer one challenge, or a revocation names no entry, 2 usage.`,
  arguments: [['<dir>']],
  run: register,
};

async function register(folder: string, flags: CommandFlags<'register'>): Promise<number> {
  const out = resolve(flags.out);
  const now = new Date();
  const ownerKey = await readPublicKeyFile(flags.ownerKey, '--owner-key');
  const requirements = { ownerKey, development: flags.development === true };
  await prepareSite(out, renderJson({ entries: [], revocations: [] }, now.toISOString()));
  const terms = { requirements, level: flags.require, now };
  const register = await readEntries(folder, terms, async (entry, { certificate, report, evidence }) => {
    const place = join(out, entriesName, entry.place);
    await mkdir(place, { recursive: true });
    for (const [name, text] of [
      [certificateName, certificate],
      [reportName, report],
      [evidenceName, evidence?.pieces()],
      [pageName, renderEntry(entry)],
      ['badge.svg', renderBadgeOf(entry)],
    ] as const)
      await writeFile(join(place, name), text ?? '');
  });
  await writeFile(join(out, pageName), renderIndex(register, now.toISOString()));
  await writeAtomically(join(out, jsonName), renderJson(register, now.toISOString()));
  const { entries, refused, doubts } = register;
  for (const doubt of doubts) process.stderr.write(`${escapeText(doubt, 400)}\n`);
  for (const { name, why } of refused) {
    const reasons = firstFew(why, mostReasons).map((one) => `  ${escapeText(one, 400)}\n`);
    process.stderr.write(`${escapeText(name, 100)}: not listed\n${reasons.join('')}`);
  }
  process.stdout.write(
    `${join(flags.out, pageName)}  ${entries.length} ${entries.length === 1 ? 'certificate' : 'certificates'}, ${refused.length} refused\n`,
  );
  return refused.length + doubts.length > 0 ? 1 : 0;
}

/** Replaces an earlier site, and nothing else. */
async function prepareSite(out: string, empty: string): Promise<void> {
  try {
    await mkdir(out, { recursive: true });
    const present = await readdir(out);
    if (present.length > 0 && !present.includes(jsonName))
      throw new UsageError({
        where: '--out',
        what: `${out} holds files, and is not a register`,
        remedy: 'name an empty folder',
      });
    // The list comes last, and its earlier form first, so that an interrupted build is known as a register.
    if (!present.includes(jsonName)) await writeAtomically(join(out, jsonName), empty);
    for (const name of [pageName, entriesName]) await rm(join(out, name), { recursive: true, force: true });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError({ where: '--out', what: `${out} cannot be written`, why: (error as Error).message });
  }
}
