import { allFaults, faultsByFile } from '../../fixtures/faults/all-faults.ts';
import { allVariants } from '../../fixtures/variants/all-variants.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { readContractSections } from '../../spec/contract-sections.ts';
import { renderChecksPage } from './checks-page.ts';
import { renderContractPage } from './contract-page.ts';
import { renderProofPage } from './proof-page.ts';

/** The pages of docs/ that are made from the code, by file name; docs/performance.md is measured, and written by the benchmark. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const catalogue = await loadCatalogue();
  return new Map([
    ['contract.md', renderContractPage(await readContractSections(), catalogue.requirements)],
    ['checks.md', renderChecksPage(catalogue, allFaults)],
    ['proof.md', renderProofPage(faultsByFile, allVariants)],
  ]);
}
