import { startService } from '../fixtures/reference-service/start-service.ts';
import type { Target } from '../harness/model/target.ts';
import { targetFromObject } from '../harness/target/target-description.ts';
import type { Contract } from '../spec/contract.ts';

/** Starts the reference service on loopback, as the target of a run. */
export async function startEmbedded(
  contract: Contract,
): Promise<{ readonly target: Target; readonly release: () => Promise<void> }> {
  const service = await startService();
  return {
    target: targetFromObject(service.target, 'the embedded reference service', contract),
    release: () => service.close(),
  };
}
