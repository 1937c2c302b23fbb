import type { Caller } from '../../harness/requests/case-client.ts';
import { Run } from '../../harness/engine/run.ts';
import { defaultOptions } from '../../harness/model/run-options.ts';
import type { Target } from '../../harness/model/target.ts';
import type { PathInput } from './path-inputs.ts';
import type { Sender } from './sender.ts';

/** Name of a case that no suite has. */
const check = 'bench/path-values';

/** An exchange as a run makes it: prepared, paced, sent, recorded without secrets, and judged by every passive check. */
export async function wholePath(
  target: Target,
  concurrency: number,
): Promise<Sender & { readonly run: Run }> {
  const options = { ...defaultOptions, concurrency, maxRequests: Number.MAX_SAFE_INTEGER };
  const run = await Run.open({ target, options });
  const { unreachable } = await run.preflight();
  if (unreachable !== undefined) throw new Error(unreachable);
  const callers = new Map<string, Caller>();
  const callerFor = ({ operation }: PathInput): Caller => {
    const caller = callers.get(operation.id) ?? run.openCaller(check, operation);
    callers.set(operation.id, caller);
    return caller;
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
