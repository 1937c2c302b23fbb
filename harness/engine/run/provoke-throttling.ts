import { isSafe, type Operation } from '../../../spec/operation.ts';
import { CaseClient } from '../../calls/case-client.ts';
import type { RunContext } from '../../calls/run-context.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { CallChanges } from '../../requests/call-spec.ts';
import { InconclusiveError } from '../../requests/inconclusive-error.ts';

/** Maximum number of requests at the first operation, which meets a limit that all operations share. */
const mostAtFirst = 400;
/** Maximum number of requests at each other operation, which may have a separate limit. */
const mostAtEach = 40;
const burst = 40;

/**
 * Calls every operation in a burst until it throttles, public reads first; then calls each that did once more at the
 * normal pace, which shows whether it recovers. POSTs go without a body, so that they have no effect.
 */
export async function provokeThrottling(context: RunContext): Promise<void> {
  const { publicReads, operations } = context.contract;
  const others = operations.filter(
    (operation) => !publicReads.includes(operation) && (isSafe(operation) || !context.readOnly),
  );
  const throttled: Operation[] = [];
  for (const [place, operation] of [...publicReads, ...others].entries()) {
    if (await throttles(context, operation, place === 0 ? mostAtFirst : mostAtEach))
      throttled.push(operation);
  }
  for (const operation of throttled)
    await calling(context, operation, async (client, changes) => {
      await client.call({ ...changes, role: 'probe', label: 'after the burst, patiently' });
      return true;
    });
}

function throttles(context: RunContext, operation: Operation, most: number): Promise<boolean> {
  return calling(context, operation, async (client, changes) => {
    const ask = (): Promise<Exchange> =>
      client.call({ ...changes, role: 'provocation', label: 'part of a burst', acceptThrottled: true });
    for (let sent = 0; sent < most; sent += burst) {
      const answers = await Promise.all(Array.from({ length: burst }, ask));
      if (answers.some(({ response }) => response?.status === 429)) return true;
    }
    return false;
  });
}

/**
 * Calls an operation with known values that the whole burst shares, because each call would otherwise create a session; without a
 * body, so that nothing is done. False if no valid call is known, if the target stopped answering, or if the
 * operation never recovered, which affects only this operation.
 */
async function calling(
  context: RunContext,
  operation: Operation,
  act: (client: CaseClient, changes: CallChanges) => Promise<boolean>,
): Promise<boolean> {
  const client = new CaseClient(context, 'provocation', operation, 1);
  try {
    const parameters: Record<string, string> = {};
    for (const name of operation.pathParameters) parameters[name] = (await client.knownValue(name)).value;
    return await act(client, { parameters, ...(isSafe(operation) ? {} : { body: 'none' }) });
  } catch (error) {
    if (!(error instanceof InconclusiveError)) throw error;
    return false;
  } finally {
    await client.close();
  }
}
