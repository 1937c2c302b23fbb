import type { Report } from '../../harness/model/report.ts';
import { baselineEntries, baselineText } from '../../harness/results/baseline/with-baseline.ts';
import { quoted } from '../../reporters/model/replay-command.ts';
import type { CommandFlags } from '../../spec/command-options.ts';
import type { CommandDefinition } from '../command-list.ts';
import { readReport } from '../read-report.ts';
import { writeNewFile } from '../write-new-file.ts';

/** `baseline`: writes a baseline that accepts the findings of a run. */
export const command: CommandDefinition = {
  after: `Example:
  npx commerce-conformance baseline conformance-report/report.json --owner checkout-team \\
    --reason 'the gateway is replaced in March' --expires 2027-03-31 --file baseline.yaml`,
  arguments: [['<report>', 'a report.json, or the folder that holds it']],
  run: accept,
};

async function accept(path: string, flags: CommandFlags<'baseline'>): Promise<void> {
  const { owner, reason, expires, warnings = false, file, force = false } = flags;
  const report = await readReport(path);
  const entries = baselineEntries(report, { owner, reason, expires }, warnings);
  const text = baselineText(entries);
  if (file === undefined) {
    process.stdout.write(text);
    return;
  }
  await writeNewFile(file, text, { where: '--file', force });
  process.stdout.write(
    `Wrote ${file}, which accepts ${entries.length} ${entries.length === 1 ? 'finding' : 'findings'}. Read it, give each its own reason, then:\n  npx commerce-conformance run ${targetFlags(report)} --baseline ${quoted(file)}\n`,
  );
}
function targetFlags({ target }: Report): string {
  if (target.file !== undefined) return `--target ${quoted(target.file)}`;
  return target.embedded ? '--target target.yaml' : `--base-url ${quoted(target.baseUrl)}`;
}
