import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readCertificate } from '../../harness/certification/read-certificate.ts';
import { certificateDigest } from '../../harness/certification/spot-check.ts';
import { readTextFile } from '../../harness/read-text-file.ts';
import { parseShard } from '../../harness/results/shard-text.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { escapeText } from '../../reporters/model/wording.ts';
import type { CommandFlags } from '../../spec/command-options.ts';
import type { CommandDefinition } from '../command-list.ts';
import { interruptible, type OnRun } from '../ending-signals.ts';
import { readPublicKeyFile } from '../options/pem-files.ts';
import {
  filesIn,
  isEntryName,
  type Revocation,
  readEntry,
  readRevocations,
} from '../register/read-entries.ts';
import { certificateName } from '../report-folder/report-dir.ts';
import type { Requirements } from '../verify-folder.ts';
import { spotCheckFolder } from './spot-check.command.ts';

interface Checked {
  readonly name: string;
  /** `unknown` where it could not be checked. */
  readonly outcome: 'holds' | 'differs' | 'unknown';
  readonly lines: readonly string[];
}

type CheckRegisterFlags = CommandFlags<'check-register'>;

/** `check-register`: spot-checks every entry of a register. */
export const command: CommandDefinition = {
  after: `Example:
  npx commerce-conformance check-register certificates --targets targets --owner-key owner-public.pem --shard 1/4

Exit codes: 0 every entry holds, 1 some differ, 2 usage, 3 some could not be checked.`,
  arguments: [['<dir>']],
  run: (folder: string, flags: CheckRegisterFlags) =>
    interruptible((onRun) => checkRegister(folder, flags, onRun)),
};

async function checkRegister(folder: string, flags: CheckRegisterFlags, onRun: OnRun): Promise<number> {
  const requirements = {
    ownerKey: await readPublicKeyFile(flags.ownerKey, '--owner-key'),
    development: flags.development === true,
  };
  const shard = flags.shard === undefined ? { index: 1, of: 1 } : parseShard(flags.shard);
  if (shard === undefined)
    throw new UsageError({
      where: '--shard',
      what: `${flags.shard} does not name a shard`,
      remedy: 'write it like 2/4',
    });
  const found = await filesIn(folder);
  const all = found.filter((one) => one.isDirectory() && isEntryName(one.name)).map(({ name }) => name);
  // A wrong folder must not look like a register in which everything holds.
  if (all.length === 0)
    throw new UsageError({
      where: folder,
      what: 'it has no entry to check',
      remedy: 'name the folder that holds a subfolder for each certificate',
    });
  const names = all.sort().filter((_name, at) => at % shard.of === shard.index - 1);
  const revocations = await readRevocations(folder, found);
  await mkdir(flags.out, { recursive: true });
  const waiting = [...names];
  const checked: Checked[] = [];
  const checkNext = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (await isOver(folder, name, requirements, revocations)) continue;
      const one = await checkEntry(folder, name, { ...flags, onRun }, requirements);
      checked.push(one);
      process.stdout.write(`${one.name}: ${one.outcome}\n`);
      if (one.outcome !== 'holds') await writeFile(join(resolve(flags.out), `${name}.md`), issueText(one));
    }
  };
  await Promise.all(Array.from({ length: flags.atOnce }, checkNext));
  const count = (outcome: Checked['outcome']): number =>
    checked.filter((one) => one.outcome === outcome).length;
  process.stdout.write(
    `Entries: ${count('holds')} hold, ${count('differs')} differ, ${count('unknown')} could not be checked\n`,
  );
  return count('differs') > 0 ? 1 : count('unknown') > 0 ? 3 : 0;
}

/** Whether an entry of the register is expired or revoked, so that it need not be checked; an invalid entry only claims to be. */
async function isOver(
  folder: string,
  name: string,
  requirements: Requirements,
  revocations: ReadonlyMap<string, Revocation>,
): Promise<boolean> {
  try {
    const text = await readTextFile(join(folder, name, certificateName), 'certificate', 'restore it');
    const { envelope, statement } = readCertificate(text);
    const { expiresAt, run } = statement.predicate;
    const claimsToBe =
      Date.parse(expiresAt) <= Date.now() ||
      revocations.has(certificateDigest(envelope)) ||
      revocations.has(run.id);
    if (!claimsToBe) return false;
    const terms = { requirements, level: 'countersigned', now: new Date() } as const;
    const { entry } = await readEntry(join(folder, name), name, terms, revocations);
    return entry.status !== 'valid';
  } catch {
    return false;
  }
}

async function checkEntry(
  folder: string,
  name: string,
  { targets, cases, onRun }: CheckRegisterFlags & { readonly onRun: OnRun },
  requirements: Requirements,
): Promise<Checked> {
  try {
    const target = join(targets, `${name}.yaml`);
    const { result } = await spotCheckFolder(join(folder, name), { target }, { cases, onRun }, requirements);
    const { passed, startedAt, repeated, differences, remarks = [] } = result;
    const lines = [`${startedAt}: ${repeated} cases repeated`, ...differences, ...remarks];
    return { name, outcome: passed ? 'holds' : 'differs', lines };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { name, outcome: 'unknown', lines: error.message.split('\n') };
  }
}

/** The text of an issue; words of the service are in a code block. */
function issueText({ name, outcome, lines }: Checked): string {
  const what = outcome === 'differs' ? 'differs from its certificate' : 'could not be checked';
  const block = lines.map((line) => `    ${escapeText(line, 500)}`).join('\n');
  return `The service of the entry ${name} ${what}.\n\n${block}\n`;
}
