import { Run } from '../../harness/engine/run.ts';
import type { Target } from '../../harness/model/target.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { defaultOptions } from '../../harness/target/default-options.ts';
import type { PathInput } from './path-inputs.ts';
import type { Sender } from './sender.ts';

/** Name of a case that no suite has. */
const check = 'bench/path-values';

/** An exchange as a run makes it: prepared, paced, sent, recorded without secrets, and evaluated by every passive check. */
export async function wholePath(
  target: Target,
  concurrency: number,
): Promise<Sender & { readonly run: Run }> {
  const options = { ...defaultOptions, concurrency, maxRequests: Number.MAX_SAFE_INTEGER };
  const run = await Run.open({ target, options });
  const { unreachable } = await run.preflight();
  if (unreachable !== undefined) throw new Error(unreachable);
  const clients = new Map<string, CaseClient>();
  const callerFor = ({ operation }: PathInput): CaseClient => {
    const client = clients.get(operation.id) ?? run.openClient(check, operation);
    clients.set(operation.id, client);
    return client;
  };
  return {
    run,
    send: async (input) => {
      const exchange = await callerFor(input).call({
        role: 'probe',
        label: 'path value',
        rawParameters: input.rawParameters,
        isOrdinary: () => true,
      });
      if (exchange.response === undefined) throw new Error(`no answer: ${exchange.failure?.message}`);
    },
    close: () => run.close(),
  };
}
