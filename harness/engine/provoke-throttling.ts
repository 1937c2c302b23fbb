import type { Exchange } from '../model/exchange.ts';
import { CaseClient } from '../requests/case-client.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import type { RunContext } from '../requests/run-context.ts';

/** Maximum number of requests. */
const mostRequests = 400;
/** Concurrent requests of one burst. */
const burst = 40;

/**
 * Calls a public read in bursts until the target throttles or the maximum is reached, then once more at the normal pace,
 * which shows whether the target recovers.
 */
export async function provokeThrottling(context: RunContext): Promise<void> {
  const [operation] = context.contract.publicReads;
  if (operation === undefined) return;
  const client = new CaseClient(context, 'provocation', operation, 1);
  const ask = (label: string, once: boolean): Promise<Exchange> =>
    client.call({ role: once ? 'provocation' : 'probe', label, acceptThrottled: once });
  try {
    for (let sent = 0; sent < mostRequests; sent += burst) {
      const answers = await Promise.all(Array.from({ length: burst }, () => ask('part of a burst', true)));
      if (!answers.some(({ response }) => response?.status === 429)) continue;
      await ask('after the burst, patiently', false);
      return;
    }
  } catch (error) {
    // The budget is spent, or the target never recovered, which the exchanges show.
    if (!(error instanceof InconclusiveError)) throw error;
  } finally {
    await client.close();
  }
}
