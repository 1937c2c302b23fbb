import { resolve } from 'node:path';
import type { Command } from 'commander';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';

/** `checks`: every check with its requirement, level and number of operations. */
export function addChecksCommand(command: Command): void {
  command
    .option('--checks <dir>', 'folder of custom checks, listed after the built-in ones')
    .addHelpText('after', '\nExample:\n  npx commerce-conformance checks')
    .action(async (flags: { readonly checks?: string }) => {
      const { contract, requirements, checks } = await loadCatalogue(flags.checks && resolve(flags.checks));
      const levels = new Map(requirements.map(({ id, level }) => [id, level]));
      const width = Math.max(...checks.map(({ id }) => id.length));
      const requirementWidth = Math.max(10, ...checks.map(({ requirement }) => requirement.length));
      for (const check of checks) {
        const on = contract.operations.filter((operation) => check.applies(operation)).length;
        const columns = [
          check.id.padEnd(width),
          check.requirement.padEnd(requirementWidth),
          (levels.get(check.requirement) ?? '').padEnd(6),
          `on ${String(on).padStart(2)}`,
          check.title,
        ];
        process.stdout.write(`${columns.join('  ')}\n`);
      }
    });
}
