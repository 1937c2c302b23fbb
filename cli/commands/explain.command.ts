import { resolve } from 'node:path';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import type { Fault } from '../../fixtures/faults/fault.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import type { IdentifiedCheck } from '../../harness/checks/check.ts';
import { isCustom } from '../../harness/checks/custom-check.ts';
import { unknownName } from '../../harness/target/nearest-name.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { withSendingChecks } from '../../reporters/model/open-cases.ts';
import { quoted } from '../../reporters/model/replay-command.ts';
import type { CommandFlags } from '../../spec/command-options.ts';
import type { Operation } from '../../spec/contract.ts';
import { contractAnchor, placeName } from '../../spec/requirements.ts';
import type { CommandDefinition } from '../command-list.ts';

/** Faults that are listed for a check; docs/proof.md has them all. */
const mostFaults = 6;
const doubt = 'If it reports a conforming service, see docs/faq.md#a-finding-that-you-doubt.';

/** `explain`: why a check or requirement matters, what it allows, how to fix a violation, and which faults prove the check. */
export const command: CommandDefinition = {
  after: 'Example:\n  npx commerce-conformance explain AUTH-3',
  arguments: [
    [
      '<requirement, check or case>',
      'such as AUTH-3, auth/invalid-key-is-refused or getApiKeyIdentity/auth/invalid-key-is-refused',
    ],
  ],
  run: async (name: string, { checks }: CommandFlags<'explain'>) => {
    process.stdout.write(await explain(name, checks && resolve(checks)));
  },
};

async function explain(name: string, customChecks: string | undefined): Promise<string> {
  const { contract, requirements, checks } = await loadCatalogue(customChecks);
  const operation = contract.operations.find(({ id }) => name.startsWith(`${id}/`));
  const nameOfCheck = operation === undefined ? name : name.slice(operation.id.length + 1);
  const named = checks.find(({ id }) => id === nameOfCheck);
  const requirement = requirements.find(({ id }) => id === (named?.requirement ?? name.toUpperCase()));
  if (requirement === undefined) {
    const names = [...checks.map(({ id }) => id), ...requirements.map(({ id }) => id)];
    const what = `there is no check or requirement ${nameOfCheck}`;
    throw unknownName({ what }, nameOfCheck, names, 'see: npx commerce-conformance checks');
  }
  if (operation !== undefined && named?.applies(operation) === false) {
    throw new UsageError({
      what: `${named.id} does not apply to ${operation.id}`,
      remedy: `see: npx commerce-conformance explain ${named.id}`,
    });
  }
  const shown = named === undefined ? checks.filter(({ requirement: id }) => id === requirement.id) : [named];
  const { id, level, title, clauses, rationale, allows, fix } = requirement;
  const places = requirement.contract.map((place) =>
    place.says === undefined
      ? `  ${placeName(place)}`
      : `  ${placeName(place)}: ${place.says} (docs/contract.md#${contractAnchor(place)})`,
  );
  const paragraphs = [
    [`${id} ${level}  ${title}`, ...Object.values(clauses).map((one) => `  ${one.level}: ${one.title}`)],
    ['Contract:', ...places],
    ['', 'Why it matters:', `  ${rationale}`],
    allows.length > 0 ? ['', 'Allowed, and never reported:', ...allows.map((one) => `  - ${one}`)] : [],
    ['', 'How to fix a service that fails it:', `  ${fix}`],
    ...shown.map((check) => ['', ...explainCheck(check, contract.operations, operation)]),
    shown.length === 0 ? ['', 'No check tests it yet.'] : [],
    shown.some((check) => isCustom(check.id)) ? [] : ['', doubt],
  ];
  return `${paragraphs.flat().join('\n')}\n`;
}

function explainCheck(
  check: IdentifiedCheck,
  operations: readonly Operation[],
  operation?: Operation,
): string[] {
  const on = operations.filter((one) => check.applies(one)).map(({ id }) => id);
  const isElsewhere = ({ breaks }: Fault): number => Number(breaks.operation !== operation?.id);
  // Those of the operation that was asked for say the most.
  const faults = allFaults
    .filter(({ breaks, missed }) => breaks.check === check.id && missed === undefined)
    .sort((a, b) => isElsewhere(a) - isElsewhere(b));
  const left = faults.length - mostFaults;
  const alone = `--check ${quoted(check.id)}`;
  const choice = check.kind === 'active' ? alone : (withSendingChecks([check.id]) ?? alone);
  const where = on.length === operations.length ? `all ${on.length} operations` : on.join(', ');
  return [
    `${check.id}: ${check.title}`,
    `  tested on ${where}`,
    `  test it: npx commerce-conformance run --target target.yaml ${choice}${operation === undefined ? '' : ` --operation ${operation.id}`}`,
    ...(faults.length === 0
      ? []
      : ['  proven by services with exactly this fault (npx commerce-conformance serve --fault <name>):']),
    ...faults.slice(0, mostFaults).map((fault) => `    ${fault.name}: ${fault.says}`),
    ...(left > 0 ? [`    and ${left} more: docs/proof.md`] : []),
  ];
}
