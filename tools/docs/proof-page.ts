import { firstFaultsOf } from '../../fixtures/faults/all-faults.ts';
import type { Fault } from '../../fixtures/faults/fault.ts';
import { firstFigures } from '../../fixtures/faults/first-figures.ts';
import type { Variant } from '../../fixtures/variants/variant.ts';
import { pageAt, table, withParts, withRows } from './page.ts';

/**
 * docs/proof.md with the corpus, and the check by which each fault must be found. The table of profiles stays as it is:
 * the proofs that print its figures take too long to be repeated.
 */
export async function renderProofPage(
  faultsByFile: ReadonlyMap<string, readonly Fault[]>,
  variants: readonly Variant[],
): Promise<string> {
  const faults = [...faultsByFile.values()].flat();
  const found = faults.filter(({ missed }) => missed === undefined);
  const missed = faults.filter((fault) => fault.missed !== undefined);
  const quiet = variants.filter(({ accused }) => accused === undefined);
  const accused = variants.filter((variant) => variant.accused !== undefined);
  const checks = [...new Set(found.map(checkOf))].sort();
  const free = found.filter(({ breaks }) => breaks.check === undefined).length;
  const named = checks.filter((check) => check !== anyCheck).length;
  const counts = [
    `${found.length} faults: ${found.length - free} are found by the check that they name, one of ${named}; any check may find the other ${free}.`,
    `${quiet.length} conforming variants.`,
    `Known gaps: ${missed.length} faults that no check finds yet, ${accused.length} variants that are accused; they are listed at the end.`,
  ];
  const lists = checks.flatMap((check) => {
    const rows = found
      .filter((fault) => checkOf(fault) === check)
      .map((fault) => [...faultCells(fault), fault.expects ?? 'fail']);
    return [`### ${check}`, '', ...table(['fault', 'misbehaviour', 'found at', 'outcome'], rows)];
  });
  const page = withParts(
    await pageAt('docs', 'proof.md'),
    [/^\d+ faults: [\s\S]*(?=\n\n## Faults$)/m, () => counts.join('\n')],
    [/^### [\s\S]*(?=\n## Conforming variants$)/m, () => lists.join('\n')],
  );
  const tables: ReadonlyArray<readonly [head: readonly string[], rows: ReadonlyArray<readonly string[]>]> = [
    [
      ['variant', 'peculiarity', 'allowed warnings'],
      quiet.map(({ name, says, warns = [] }) => [`\`${name}\``, says, warns.join(', ') || 'nothing']),
    ],
    [
      ['variant', 'why some `must` cases are inconclusive'],
      variants.flatMap(({ name, untested }) => (untested === undefined ? [] : [[`\`${name}\``, untested]])),
    ],
    [
      ['file', 'faults', 'from public reports', 'found when written', 'found now'],
      [...firstFigures].map(([file, first]) => {
        const ofFile = firstFaultsOf(file);
        return [
          file,
          String(ofFile.length),
          String(ofFile.filter(({ source }) => source !== undefined).length),
          `${first.found} of ${first.faults}`,
          String(ofFile.filter((fault) => fault.missed === undefined).length),
        ];
      }),
    ],
    [
      ['fault that is missed', 'misbehaviour', 'requirement', 'expected at', 'why it is missed'],
      missed.map((fault) => {
        const [name, misbehaviour, place] = faultCells(fault);
        return [name, misbehaviour, fault.breaks.requirement, place, fault.missed ?? ''];
      }),
    ],
    [
      ['variant that is accused', 'peculiarity', 'false alarm'],
      accused.map(({ name, says, accused: reason = '' }) => [`\`${name}\``, says, reason]),
    ],
  ];
  return tables.reduce((text, [head, rows]) => withRows(text, head, rows), page);
}

const anyCheck = 'any check';

function checkOf({ breaks }: Fault): string {
  return breaks.check ?? anyCheck;
}

function faultCells({ name, says, source, breaks }: Fault): readonly [string, string, string] {
  return [
    `\`${name}\``,
    source === undefined ? says : `${says} [Seen](${source}).`,
    breaks.operation === '*' ? 'every affected operation' : breaks.operation,
  ];
}
