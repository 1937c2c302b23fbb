import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allFaults } from '../fixtures/faults/all-faults.ts';
import { allVariants } from '../fixtures/variants/all-variants.ts';
import { packageRoot } from '../spec/package-root.ts';
import { renderProofTable } from './proof-table.ts';

test('every fault is found at its place and nowhere else, and every lawful variant passes', () => {
  const proof = spawnSync(process.execPath, [join(packageRoot, 'dist', 'proof', 'main.js')], {
    encoding: 'utf8',
  });
  expect(proof.stdout).toMatch(
    new RegExp(
      `^${allFaults.length} of ${allFaults.length} faults .* ${allVariants.length} of ${allVariants.length} lawful`,
    ),
  );
  expect(proof.status).toBe(0);
}, 600_000);

test('docs/proof.md is what the corpus says; npm run prove writes it', () => {
  expect(readFileSync(join(packageRoot, 'docs', 'proof.md'), 'utf8')).toBe(
    renderProofTable(allFaults, allVariants),
  );
});
