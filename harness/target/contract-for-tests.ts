import { Contract, loadContract } from '../../spec/contract.ts';
import { ids } from '../../spec/operation-ids-for-tests.ts';

const whole = await loadContract();

/** A part of the contract, enough for what a target file can name. */
export const contractForTests: Contract = new Contract({
  digest: whole.digest,
  operations: [
    ...whole.publicReads.slice(0, 1),
    whole.operation(ids.product),
    whole.operation(ids.merchantProduct),
    whole.operation(ids.merchantProducts),
    whole.operation(ids.storeConfig),
    ...whole.withRoles(
      'searches-products',
      'initiates-login',
      'consumes-login',
      'creates-session',
      'reads-session',
      'ends-session',
    ),
  ],
});
