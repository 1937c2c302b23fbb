import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import picocolors from 'picocolors';
import type { Report } from '../../harness/model/report.ts';
import { openRegularFile } from '../../harness/read-bounded-file.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { partOf, removeParts } from '../../harness/write-atomically.ts';
import type { ReportFormat } from '../../reporters/formats.ts';
import { escapeText } from '../../reporters/model/wording.ts';
import { unwritable } from './lock-report-dir.ts';

/** A written format, and the files to open. */
export interface Written {
  readonly format: string;
  readonly paths: readonly string[];
}

/** Makes sure that formats can be written to a folder, and that nothing of an earlier report is taken for them. */
export async function prepareViews(
  folder: string,
  formats: readonly ReportFormat[],
  where: string,
): Promise<void> {
  const files = formats.flatMap((format) => format.files);
  try {
    await mkdir(resolve(folder), { recursive: true });
    const staging = partOf(join(folder, 'views'));
    await mkdir(staging);
    await rm(staging, { recursive: true });
    await refuseForeign(folder, files, where);
    const names = formats.map(({ name }) => name);
    await removeParts(folder, names);
    for (const format of formats) await removeEarlier(folder, format);
  } catch (error) {
    throw unwritable(folder, where, error);
  }
}

/** Writes each format whole or not at all; `whole` is false where one could not be written, which is said. */
export async function writeViews(
  folder: string,
  report: Report,
  formats: readonly ReportFormat[],
): Promise<{ readonly written: readonly Written[]; readonly whole: boolean }> {
  const written: Written[] = [];
  for (const format of formats) {
    try {
      await write(folder, report, format);
      written.push({ format: format.name, paths: pathsOf(folder, format) });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      const why = (error as Error).message;
      process.stderr.write(`error: the ${format.name} report could not be written: ${why}\n`);
    }
  }
  return { written, whole: written.length === formats.length };
}

async function write(folder: string, report: Report, format: ReportFormat): Promise<void> {
  const staging = partOf(join(folder, format.name));
  const files = (await format.load())(report);
  try {
    await mkdir(staging);
    for (const { path, text } of files) {
      await mkdir(resolve(dirname(join(staging, path))), { recursive: true });
      await writeFile(join(staging, path), text);
    }
    await removeEarlier(folder, format);
    for (const file of format.files) await rename(join(staging, file), join(folder, file));
    if (format.folder) await moveFolder(join(staging, format.folder.name), join(folder, format.folder.name));
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** In one step if the folder does not exist yet, otherwise file by file, because others may keep files there. */
async function moveFolder(from: string, to: string): Promise<void> {
  await mkdir(resolve(dirname(to)), { recursive: true });
  try {
    // Replaces an empty folder as well.
    await rename(from, to);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    for (const name of await readdir(from)) await rename(join(from, name), join(to, name));
  }
}

async function removeEarlier(folder: string, format: ReportFormat): Promise<void> {
  for (const file of format.files) await rm(join(folder, file), { force: true });
  if (format.folder === undefined) return;
  const { name, prefix } = format.folder;
  const present = await readdir(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const file of present.filter((one) => one.startsWith(prefix))) await rm(join(folder, name, file));
}

function pathsOf(folder: string, format: ReportFormat): string[] {
  const folders = format.folder === undefined ? [] : [join(folder, format.folder.name)];
  return [...format.files.map((file) => join(folder, file)), ...folders];
}

/** A line for each written format, laid out like the figures of the verdict. */
export function renderWritten(written: readonly Written[], { colour }: { readonly colour: boolean }): string {
  const colours = picocolors.createColors(colour);
  return written
    .map(({ format, paths }) => {
      const shown = paths.map((path) => escapeText(path, 1_000)).join(', ');
      return `${colours.dim(`  ${format.padEnd(12)}`)}${shown}\n`;
    })
    .join('');
}

/** Bytes in which each of our files names itself. */
const headBytes = 64 * 1024;

/** Throws where a file that is about to be replaced was not written by commerce-conformance. */
export async function refuseForeign(folder: string, names: readonly string[], where: string): Promise<void> {
  for (const name of names) {
    const path = join(folder, name);
    if (await isReplaceable(path)) continue;
    throw new UsageError({
      where,
      what: `${path} would be replaced, and commerce-conformance did not write it`,
      remedy: 'name another folder, or move the file',
    });
  }
}

async function isReplaceable(path: string): Promise<boolean> {
  try {
    const file = await openRegularFile(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes));
      // A certificate is an envelope whose content is encoded.
      return bytesRead === 0 || /conformance|in-toto/i.test(buffer.toString('latin1', 0, bytesRead));
    } finally {
      await file.close();
    }
  } catch (error) {
    // A directory in its place is not replaced: removing it fails.
    return ['ENOENT', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}
