import type { Fault } from '../../fixtures/faults/fault.ts';
import type { Catalogue } from '../../harness/checks/catalogue.ts';
import type { IdentifiedCheck } from '../../harness/checks/check.ts';
import { contractAnchor, placeName, type Requirement } from '../../spec/requirements.ts';
import { row } from './table-row.ts';

/** docs/contract.md#the-checks: every check with the requirement that it tests, and how many faults prove it. */
export function renderChecksPage(
  { contract, requirements, checks }: Catalogue,
  faults: readonly Pick<Fault, 'breaks' | 'missed'>[],
): string {
  const found = faults.filter(({ missed }) => missed === undefined);
  const areas = [...new Set(checks.map(({ area }) => area))];
  const rowOf = (check: IdentifiedCheck): string => {
    const requirement = requirements.find(({ id }) => id === check.requirement);
    if (requirement === undefined) throw new Error(`${check.id} tests no requirement of the catalogue`);
    const on = contract.operations.filter((operation) => check.applies(operation)).length;
    const proving = found.filter(({ breaks }) => breaks.check === check.id).length;
    return row(
      `\`${check.id}\``,
      check.title,
      requirement.id,
      levelsOf(requirement),
      requirement.contract.map((place) => `[${placeName(place)}](#${contractAnchor(place)})`).join('; '),
      String(on),
      proving === 0 ? '0' : `[${proving}](proof.md#${check.id.replaceAll('/', '')})`,
    );
  };
  return [
    '## The checks',
    '',
    'A check tests one requirement on every operation that it',
    'applies to. A violated *must* fails a service, a *should* warns, an *info* is noted. The last column counts the faults, each a',
    'service with just one misbehaviour, by which the check is itself tested.',
    '',
    `${checks.length} checks of ${requirements.length} requirements, proven by ${found.length} faults. What a requirement means, what is conforming all the`,
    'same, and how to fix a service that fails it:',
    '',
    '```sh',
    'npx commerce-conformance explain SESSION-4',
    '```',
    '',
    ...areas.flatMap((area) => [
      `### ${area}`,
      '',
      '| check | what it requires | requirement | level | contract | operations | faults |',
      '|---|---|---|---|---|---|---|',
      ...checks.filter((check) => check.area === area).map(rowOf),
      '',
    ]),
  ].join('\n');
}

/** The level, with that of the clauses that weigh less. */
function levelsOf({ level, clauses }: Requirement): string {
  return [...new Set([level, ...Object.values(clauses).map((clause) => clause.level)])].join(', ');
}
