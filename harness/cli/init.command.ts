import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { parseBaseUrl } from '../target/base-url.ts';
import { targetTemplate } from '../target/target-template.ts';
import { UsageError } from '../usage-error.ts';

/** `init`: writes a commented target file. */
export function addInitCommand(program: Command): void {
  program
    .command('init')
    .description('write a commented target.yaml to fill in')
    .option('--base-url <url>', 'where the service is')
    .option('--file <file>', 'where to write it', 'target.yaml')
    .option('--force', 'replace a file that is there already')
    .addHelpText('after', '\nExample:\n  commerce-conformance init --base-url https://staging.example.com')
    .action(async (flags: { readonly baseUrl?: string; readonly file: string; readonly force?: boolean }) => {
      const baseUrl =
        flags.baseUrl === undefined ? {} : { baseUrl: parseBaseUrl(flags.baseUrl, '--base-url') };
      try {
        await writeFile(flags.file, targetTemplate(baseUrl), { flag: flags.force === true ? 'w' : 'wx' });
      } catch (error) {
        const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
        throw new UsageError({
          where: '--file',
          what: exists ? `${flags.file} is there already` : `${flags.file} cannot be written`,
          ...(exists ? {} : { why: (error as Error).message }),
          remedy: exists
            ? 'name another file, or pass --force to replace it'
            : 'name a file that you may write',
        });
      }
      process.stdout.write(
        `Wrote ${flags.file}. Fill it in, then:\n  commerce-conformance doctor --target ${flags.file}\n  commerce-conformance run --target ${flags.file}\n`,
      );
    });
}
