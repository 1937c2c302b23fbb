import { allFaults, faultsByFile } from '../../fixtures/faults/all-faults.ts';
import { allVariants } from '../../fixtures/variants/all-variants.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { renderChecksPage } from './checks-page.ts';
import { renderProofPage } from './proof-page.ts';

/** The pages of docs/ that are made from the code, by file name; docs/performance.md is measured, and written by the benchmark. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['checks.md', renderChecksPage(await loadCatalogue(), allFaults)],
    ['proof.md', renderProofPage(faultsByFile, allVariants)],
  ]);
}
