import { hash } from 'node:crypto';
import { Contract, loadContract } from '../../spec/contract.ts';
import type { ContractData } from '../../spec/operation.ts';
import { loadRequirements, type Requirement } from '../../spec/requirements.ts';
import type { Check, IdentifiedCheck } from './check.ts';
import { loadCustomChecks } from './load-custom-checks.ts';

const suites = '../../suites/';
const suffix = '.check.ts';
// vite, which builds the program and runs the tests, lists the files.
const found = import.meta.glob<Check>('../../suites/**/*.check.ts', { import: 'check', eager: true });

/** Every check below suites/, in the order of their ids; the path of a file gives the id. */
const ourChecks: readonly IdentifiedCheck[] = Object.entries(found)
  .map(([file, check]) => {
    const id = file.slice(suites.length, -suffix.length);
    return { ...check, id, area: id.split('/', 1)[0] ?? id };
  })
  .sort((a, b) => (a.id < b.id ? -1 : 1));

export interface Catalogue {
  readonly contract: Contract;
  readonly requirements: readonly Requirement[];
  readonly checks: readonly IdentifiedCheck[];
}

let loaded: Promise<readonly [Contract, readonly Requirement[]]> | undefined;

/** Contract, requirements and checks, read once per thread; with those of a folder, or another contract. */
export async function loadCatalogue(customChecks?: string, otherContract?: ContractData): Promise<Catalogue> {
  loaded ??= Promise.all([loadContract(), loadRequirements()]);
  const [ourContract, requirements] = await loaded;
  const contract = otherContract === undefined ? ourContract : new Contract(otherContract);
  if (customChecks === undefined) return { contract, requirements, checks: ourChecks };
  const own = await loadCustomChecks(customChecks, contract);
  return {
    contract,
    requirements: [...requirements, ...own.requirements],
    checks: [...ourChecks, ...own.checks],
  };
}

/** Digest of every requirement with its levels, and of every check with the requirement that it tests. */
export function catalogueDigest({
  requirements,
  checks,
}: Pick<Catalogue, 'requirements' | 'checks'>): string {
  const tested = checks.map(({ id, kind, requirement, title }) => ({ id, kind, requirement, title }));
  return hash('sha256', JSON.stringify({ requirements, checks: tested }));
}
