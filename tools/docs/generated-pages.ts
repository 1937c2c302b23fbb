import { allFaults, faultsByFile } from '../../fixtures/faults/all-faults.ts';
import { allVariants } from '../../fixtures/variants/all-variants.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { readContractSections } from '../../spec/requirements.ts';
import { renderContractPage } from './contract-page.ts';
import { renderFuzzingGuide, renderReadme, renderStacksPage, renderTargetGuide } from './figure-pages.ts';
import { renderProofPage } from './proof-page.ts';

/** The files that are made from the code, in whole or in part, by path; docs/performance.md is measured, and written by the benchmark. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const catalogue = await loadCatalogue();
  return new Map([
    ['README.md', await renderReadme(catalogue)],
    ['docs/contract.md', await renderContractPage(await readContractSections(), catalogue, allFaults)],
    ['docs/fuzzing.md', await renderFuzzingGuide()],
    ['docs/proof.md', await renderProofPage(faultsByFile, allVariants)],
    ['docs/real-stacks.md', await renderStacksPage()],
    ['docs/target-file.md', await renderTargetGuide()],
  ]);
}
