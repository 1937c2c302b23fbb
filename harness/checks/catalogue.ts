import { type Contract, loadContract } from '../../spec/contract.ts';
import { loadRequirements, type Requirement } from '../../spec/requirements.ts';
import type { IdentifiedCheck } from './check.ts';
import { discoverChecks } from './discover-checks.ts';

/** All that is judged, and by which checks. */
export interface Catalogue {
  readonly contract: Contract;
  readonly requirements: readonly Requirement[];
  readonly checks: readonly IdentifiedCheck[];
}

let loaded: Promise<Catalogue> | undefined;

/** Contract, requirements and checks, read once per thread. */
export function loadCatalogue(): Promise<Catalogue> {
  loaded ??= Promise.all([loadContract(), loadRequirements(), discoverChecks()]).then(
    ([contract, requirements, checks]) => ({ contract, requirements, checks }),
  );
  return loaded;
}
