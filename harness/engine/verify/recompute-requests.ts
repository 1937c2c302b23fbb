import { CaseClient, type EarlierAttempts } from '../../calls/case-client.ts';
import { ReadDecisions } from '../../calls/decisions.ts';
import type { RunContext } from '../../calls/run-context.ts';
import type { Case } from '../../checks/case.ts';
import type { ActiveCheck } from '../../checks/check.ts';
import type { RecordedAttempt } from '../../evidence/evidence-format.ts';
import type { Exchange } from '../../model/exchange.ts';
import { InconclusiveError } from '../../requests/inconclusive-error.ts';
import { unsteered } from './recorded-context.ts';
import { RecordedControls, RecordedTarget, UnrecordedRequest } from './recorded-target.ts';
/** One recorded attempt at a case, and what it knew of earlier ones. */
export interface MadeAttempt {
  readonly planned: Case<ActiveCheck>;
  readonly attempt: RecordedAttempt;
  /** All of its exchanges, by number. */
  readonly exchanges: readonly Exchange[];
  /** Valid calls of other cases that stood for steps of its own. */
  readonly shared: readonly Exchange[];
  readonly earlier?: EarlierAttempts | undefined;
}

/** The comparison of the requests of an attempt with those that the seed, the target and the responses require. */
export interface Recomputed {
  readonly differences: readonly string[];
  /** Requests that were computed and are as recorded. */
  readonly confirmed: number;
  /** What explains that other requests are not confirmed. */
  readonly disturbance?: Disturbance | undefined;
}

/** What decides the course of an attempt besides the recorded responses. */
export type Disturbance = 'cut bodies';

/**
 * Runs the probe of an attempt again, with the recorded responses in place of the target and the recorded decisions in
 * place of the state of the run, and compares each request with the recorded one. Sends nothing.
 */
export async function recomputeRequests(
  context: RunContext,
  { planned: { check, operation }, attempt, exchanges, shared, earlier }: MadeAttempt,
): Promise<Recomputed> {
  const name = `${operation.id}/${check.id}`;
  const target = new RecordedTarget(context, exchanges, attempt.gaveUp?.reason);
  const decisions = new ReadDecisions(attempt.decisions);
  const client = new CaseClient(
    {
      ...context,
      ...unsteered(),
      controls: new RecordedControls(shared, target),
      transportFor: () => target,
    },
    check.id,
    operation,
    attempt.attempt,
    earlier,
    decisions,
  );
  const objections: string[] = [];
  try {
    await check.probe(client, operation);
    if (attempt.gaveUp !== undefined && !target.isExhausted)
      objections.push(`${name}: the attempt is recorded as given up, and all of its requests were answered`);
  } catch (error) {
    if (error instanceof UnrecordedRequest) objections.push(error.message);
    else if (!(error instanceof InconclusiveError))
      objections.push(`${check.id}: ${(error as Error).message}`);
  }
  const [unplanned] = target.left;
  if (unplanned !== undefined && objections.length === 0)
    objections.push(`${unplanned.id}: the plan requires no such request`);
  const [unread] = decisions.unread;
  if (unread !== undefined && objections.length === 0)
    objections.push(`${name}: the plan requires no such decision (${unread})`);
  const disturbance = exchanges.map(disturbanceOf).find((one) => one !== undefined);
  return {
    differences: disturbance === undefined ? [...target.differences, ...objections] : [],
    confirmed: target.confirmed,
    disturbance,
  };
}

function disturbanceOf(exchange: Exchange): Disturbance | undefined {
  return exchange.response?.body.truncated === true ? 'cut bodies' : undefined;
}
