import { resolve } from 'node:path';
import type { Command } from 'commander';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import { citation } from '../../spec/requirements.ts';
import { loadCatalogue } from '../checks/catalogue.ts';
import { nearestName } from '../target/nearest-name.ts';
import { UsageError } from '../usage-error.ts';

/** `explain`: why a check or requirement matters, what is lawful, and which faults prove the check. */
export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .argument('<check or requirement>', 'such as auth/invalid-key-is-refused or AUTH-3')
    .description('explain a check or a requirement')
    .option('--checks <dir>', 'folder with checks of your own, explained as well')
    .addHelpText('after', '\nExample:\n  commerce-conformance explain AUTH-3')
    .action(async (name: string, flags: { readonly checks?: string }) => {
      process.stdout.write(await explain(name, flags.checks && resolve(flags.checks)));
    });
}

async function explain(name: string, ownChecks: string | undefined): Promise<string> {
  const { contract, requirements, checks } = await loadCatalogue(ownChecks);
  const named = checks.find(({ id }) => id === name);
  const requirement = requirements.find(({ id }) => id === (named?.requirement ?? name.toUpperCase()));
  if (requirement === undefined) {
    const names = [...checks.map(({ id }) => id), ...requirements.map(({ id }) => id)];
    const nearest = nearestName(name, names);
    throw new UsageError({
      what: `there is no check or requirement ${name}`,
      remedy: nearest === undefined ? 'see: commerce-conformance checks' : `did you mean ${nearest}?`,
    });
  }
  const shown = named === undefined ? checks.filter(({ requirement: id }) => id === requirement.id) : [named];
  const lines = [
    `${requirement.id} ${requirement.level}  ${requirement.title}`,
    `contract: ${citation(requirement)}`,
    '',
    requirement.rationale,
  ];
  for (const clause of Object.values(requirement.clauses)) lines.push(`${clause.level}: ${clause.title}`);
  if (requirement.lawful.length > 0) {
    lines.push('', 'A lawful service may:', ...requirement.lawful.map((one) => `  - ${one}`));
  }
  for (const check of shown) {
    const on = contract.operations.filter((operation) => check.applies(operation));
    const faults = allFaults.filter(({ breaks }) => breaks.check === check.id);
    lines.push('', `${check.id}: ${check.title}`);
    lines.push(`  judged on ${on.length === 25 ? 'all 25 operations' : on.map(({ id }) => id).join(', ')}`);
    if (faults.length > 0) {
      lines.push('  proven by services that misbehave in just this way (serve --fault NAME):');
      lines.push(...faults.map((fault) => `    ${fault.name}: ${fault.says}`));
    }
  }
  if (shown.length === 0) lines.push('', 'No check tests it yet.');
  return `${lines.join('\n')}\n`;
}
