import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { Report } from '../../harness/model/report.ts';
import { baselineEntries, baselineText } from '../../harness/results/write-baseline.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { writeAtomically } from '../../harness/write-atomically.ts';
import { quoted } from '../../reporters/model/replay-command.ts';
import { readReport } from '../read-report.ts';

interface BaselineFlags {
  readonly owner: string;
  readonly reason: string;
  readonly expires: string;
  readonly warnings?: boolean;
  readonly file?: string;
  readonly force?: boolean;
}

/** `baseline`: writes a baseline that accepts what a run found. */
export function addBaselineCommand(command: Command): void {
  command
    .argument('<report>', 'a report.json, or the folder that holds it')
    .requiredOption('--owner <name>', 'who is responsible for them', filled('--owner'))
    .requiredOption('--reason <text>', 'why a release may have them', filled('--reason'))
    .requiredOption('--expires <day>', 'the last day on which they are accepted, such as 2027-01-31', day)
    .option('--warnings', 'accept warnings too, for runs with --strict')
    .option('--file <file>', 'where to write it (default: standard output)')
    .option('--force', 'replace an existing file')
    .addHelpText(
      'after',
      `
Example:
  npx commerce-conformance baseline conformance-report/report.json --owner checkout-team \\
    --reason 'the gateway is replaced in March' --expires 2027-03-31 --file baseline.yaml`,
    )
    .action(async (path: string, flags: BaselineFlags) => {
      const { owner, reason, expires, warnings = false, file, force = false } = flags;
      const report = await readReport(path);
      const entries = baselineEntries(report, { owner, reason, expires }, { warnings });
      const text = baselineText(entries);
      if (file === undefined) {
        process.stdout.write(text);
        return;
      }
      await write(file, text, force);
      process.stdout.write(
        `Wrote ${file}, which accepts ${entries.length} ${entries.length === 1 ? 'finding' : 'findings'}. Read it, give each its own reason, then:\n  npx commerce-conformance run ${targetFlags(report)} --baseline ${quoted(file)}\n`,
      );
    });
}

/** The flags that name the target of a report again. */
function targetFlags({ target }: Report): string {
  if (target.file !== undefined) return `--target ${quoted(target.file)}`;
  return target.embedded ? '--target target.yaml' : `--base-url ${quoted(target.baseUrl)}`;
}

async function write(file: string, text: string, force: boolean): Promise<void> {
  try {
    await (force ? writeAtomically(file, text) : writeFile(file, text, { flag: 'wx' }));
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new UsageError({
      where: '--file',
      what: exists ? `${file} exists already` : `${file} cannot be written`,
      ...(exists ? {} : { why: (error as Error).message }),
      remedy: exists ? 'name another file, or pass --force to replace it' : 'name a file that you may write',
    });
  }
}

function filled(flag: string): (text: string) => string {
  return (text) => {
    if (text.trim() === '') throw new InvalidArgumentError(`${flag} takes a text.`);
    return text;
  };
}

function day(text: string): string {
  const time = new Date(`${text}T00:00:00Z`);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time.getTime());
  if (!isDay || time.toISOString().slice(0, 10) !== text) {
    throw new InvalidArgumentError('--expires takes a day such as 2027-01-31.');
  }
  return text;
}
