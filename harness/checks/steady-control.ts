import type { Operation } from '../../spec/contract.ts';
import { statusOf } from '../evidence/answer.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CallSpec } from '../requests/call-spec.ts';
import type { CaseClient } from '../requests/case-client.ts';
import type { InconclusiveError } from '../requests/inconclusive-error.ts';
import { attemptControl } from './attempt-control.ts';

/** What a control call came to: its exchange, or why there is none. */
export interface Control {
  readonly exchange: Exchange | undefined;
  readonly missing: InconclusiveError | undefined;
}

/** Tries of a control that meets a session in another state than a fresh one has. */
const controlTries = 3;

/**
 * The control call, made again where it met a conflict: a target may keep one session open at a time, or give the same
 * one for equal creates, so that another case of the run has just cancelled what this one was to cancel.
 */
export async function steadyControl(
  client: CaseClient,
  operation: Operation,
  spec: Omit<CallSpec, 'role'>,
): Promise<Control> {
  for (let tries = 1; ; tries += 1) {
    const missing = await attemptControl(client, spec);
    const exchange = client.exchanges.findLast(({ role }) => role === 'control');
    const isAgain = operation.method === 'POST' && exchange !== undefined && isConflict(exchange);
    if (missing !== undefined || !isAgain || tries === controlTries) return { exchange, missing };
  }
}

/** Whether the answer may be due to what other cases do at the same time. */
export function isConflict(exchange: Exchange): boolean {
  return [404, 409].includes(statusOf(exchange) ?? 0);
}
