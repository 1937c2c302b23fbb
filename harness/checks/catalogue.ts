import { Contract, loadContract } from '../../spec/contract.ts';
import type { ContractData } from '../../spec/operation.ts';
import { loadRequirements, type Requirement } from '../../spec/requirements.ts';
import type { IdentifiedCheck } from './check.ts';
import { loadCustomChecks } from './load-custom-checks.ts';
import { ourChecks } from './our-checks.ts';

/** The contract, its requirements and the checks that test them. */
export interface Catalogue {
  readonly contract: Contract;
  readonly requirements: readonly Requirement[];
  readonly checks: readonly IdentifiedCheck[];
}

let loaded: Promise<Catalogue> | undefined;

/**
 * Contract, requirements and checks, read once per thread; with those of a folder behind ours, and with another contract
 * in place of ours, where these are given.
 */
export async function loadCatalogue(customChecks?: string, otherContract?: ContractData): Promise<Catalogue> {
  const { contract: ourContract, requirements, checks } = await loadOurs();
  const contract = otherContract === undefined ? ourContract : new Contract(otherContract);
  if (customChecks === undefined) return { contract, requirements, checks };
  const own = await loadCustomChecks(customChecks, contract);
  return {
    contract,
    requirements: [...requirements, ...own.requirements],
    checks: [...checks, ...own.checks],
  };
}

function loadOurs(): Promise<Catalogue> {
  loaded ??= Promise.all([loadContract(), loadRequirements()]).then(([contract, requirements]) => ({
    contract,
    requirements,
    checks: ourChecks,
  }));
  return loaded;
}
