import type { Fault } from '../../fixtures/faults/fault.ts';
import type { Catalogue } from '../../harness/checks/catalogue.ts';
import type { IdentifiedCheck } from '../../harness/checks/check.ts';
import {
  type ContractSection,
  contractAnchor,
  placeName,
  type Requirement,
} from '../../spec/requirements.ts';
import { pageAt, table, withParts } from './page.ts';

/** docs/contract.md with what each section of the contract fixes, with an anchor for every citation, and all checks. */
export async function renderContractPage(
  sections: readonly ContractSection[],
  catalogue: Catalogue,
  faults: readonly Pick<Fault, 'breaks' | 'missed'>[],
): Promise<string> {
  const { requirements, checks } = catalogue;
  const found = faults.filter(({ missed }) => missed === undefined);
  const counts = `${checks.length} checks of ${requirements.length} requirements, proven by ${found.length} faults`;
  const places = contractLines(sections, requirements).join('\n');
  const list = checkLines(catalogue, found).join('\n');
  return withParts(
    await pageAt('docs', 'contract.md'),
    [/^\d+ checks of .* faults/m, () => counts],
    [/^## [\s\S]*(?=\n## The checks$)/m, () => places],
    [/^### [\s\S]*/m, () => list],
  );
}

function contractLines(
  sections: readonly ContractSection[],
  requirements: readonly Requirement[],
): readonly string[] {
  const citing = (section: string, point?: string): string => {
    const ids = requirements.filter(({ contract }) =>
      contract.some((place) => place.section === section && place.point === point),
    );
    return ids.length === 0 ? '–' : ids.map(({ id }) => id).join(', ');
  };
  return sections.flatMap(({ section, says, points }) => {
    const rows = Object.entries(points).map(([point, fixed]) => [
      `<a id="${contractAnchor({ section, point })}"></a>${point}`,
      fixed,
      citing(section, point),
    ]);
    const fixes = rows.length === 0 ? [] : table(['place', 'what it fixes', 'cited by'], rows);
    return [`## ${section}`, '', `${says} Cited by: ${citing(section)}.`, '', ...fixes];
  });
}

/** Every check with the requirement that it tests, and how many faults prove it. */
function checkLines(
  { contract, requirements, checks }: Catalogue,
  faults: readonly Pick<Fault, 'breaks'>[],
): readonly string[] {
  const areas = [...new Set(checks.map(({ area }) => area))];
  const head = ['check', 'what it requires', 'requirement', 'level', 'contract', 'operations', 'faults'];
  const rowOf = (check: IdentifiedCheck): readonly string[] => {
    const requirement = requirements.find(({ id }) => id === check.requirement);
    if (requirement === undefined) throw new Error(`${check.id} tests no requirement of the catalogue`);
    const on = contract.operations.filter((operation) => check.applies(operation)).length;
    const proving = faults.filter(({ breaks }) => breaks.check === check.id).length;
    return [
      `\`${check.id}\``,
      check.title,
      requirement.id,
      levelsOf(requirement),
      requirement.contract.map((place) => `[${placeName(place)}](#${contractAnchor(place)})`).join('; '),
      String(on),
      proving === 0 ? '0' : `[${proving}](proof.md#${check.id.replaceAll('/', '')})`,
    ];
  };
  return areas.flatMap((area) => [
    `### ${area}`,
    '',
    ...table(head, checks.filter((check) => check.area === area).map(rowOf)),
  ]);
}

/** The level, with that of the clauses that weigh less. */
function levelsOf({ level, clauses }: Requirement): string {
  return [...new Set([level, ...Object.values(clauses).map((clause) => clause.level)])].join(', ');
}
