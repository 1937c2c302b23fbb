import { resolve } from 'node:path';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import type { CommandFlags } from '../../spec/command-options.ts';
import type { Requirement } from '../../spec/requirements.ts';
import type { CommandDefinition } from '../command-list.ts';

/** `checks`: every check with its requirement, level and number of operations. */
export const command: CommandDefinition = {
  after: 'Example:\n  npx commerce-conformance checks',
  run: list,
};

async function list({ checks: folder }: CommandFlags<'checks'>): Promise<void> {
  const { contract, requirements, checks } = await loadCatalogue(folder && resolve(folder));
  const levels = new Map(requirements.map(({ id, level, clauses }) => [id, levelsOf(level, clauses)]));
  const width = Math.max(...checks.map(({ id }) => id.length));
  const requirementWidth = Math.max(10, ...checks.map(({ requirement }) => requirement.length));
  for (const check of checks) {
    const on = contract.operations.filter((operation) => check.applies(operation)).length;
    const columns = [
      check.id.padEnd(width),
      check.requirement.padEnd(requirementWidth),
      (levels.get(check.requirement) ?? '').padEnd(12),
      `on ${String(on).padStart(2)}`,
      check.title,
    ];
    process.stdout.write(`${columns.join('  ')}\n`);
  }
}

/** The level of a requirement, and the graver one of some of its clauses, such as `should, must`. */
function levelsOf(level: string, clauses: Requirement['clauses']): string {
  const isGraver = level !== 'must' && Object.values(clauses).some((clause) => clause.level === 'must');
  return isGraver ? `${level}, must` : level;
}
