import { Contract, loadContract } from '../../spec/contract.ts';

const whole = await loadContract();

/** A part of the contract, enough for what a target file can name. */
export const contractForTests: Contract = new Contract({
  digest: whole.digest,
  operations: [
    ...whole.publicReads.slice(0, 1),
    whole.operation('getPublicProduct'),
    whole.operation('getPublicMerchantProduct'),
    whole.operation('listPublicMerchantProducts'),
    whole.operation('getPublicStoreSecurityConfig'),
    ...whole.withRoles(
      'initiates-login',
      'consumes-login',
      'creates-session',
      'reads-session',
      'ends-session',
    ),
  ],
});
