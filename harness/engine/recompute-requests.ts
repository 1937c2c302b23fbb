import type { Case } from '../checks/case.ts';
import type { ActiveCheck } from '../checks/check.ts';
import type { RecordedAttempt } from '../evidence/evidence-format.ts';
import type { Exchange } from '../model/exchange.ts';
import { mayBeThrottling } from '../pacing/overload-signs.ts';
import { CaseClient, type EarlierAttempts } from '../requests/case-client.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import type { RunContext } from '../requests/run-context.ts';
import { RecordedTarget, UnrecordedRequest } from './recorded-target.ts';
import { Choices, steeredBy } from './replay-choices.ts';

/** One recorded attempt at a case, and what it knew of earlier ones. */
export interface MadeAttempt {
  readonly planned: Case<ActiveCheck>;
  readonly attempt: RecordedAttempt;
  /** All of its exchanges, by number. */
  readonly exchanges: readonly Exchange[];
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
export type Disturbance = 'overload' | 'lost connections' | 'cut bodies' | 'reduced inputs';

/** The most probes that are run to find out how a run decided what depended on timing or on the budget. */
const mostProbes = 80;

/**
 * Runs the probe of an attempt again, with the recorded responses in place of the target, and compares each request
 * with the recorded one. Sends nothing. Where they differ, takes choices of the run the other way, the last one first,
 * as long as that explains more requests. Attempts that overload, cut connections or truncated bodies disturbed are not
 * objected to, because their course depended on more than is recorded.
 */
export async function recomputeRequests(context: RunContext, made: MadeAttempt): Promise<Recomputed> {
  let flipped: ReadonlySet<number> = new Set();
  let choices = new Choices(flipped);
  const first = await probeOnce(context, made, choices);
  const disturbance = made.exchanges.map(disturbanceOf).find((one) => one !== undefined);
  if (disturbance !== undefined) return { ...first, differences: [], disturbance };
  if (first.differences.length === 0) return first;
  let { confirmed } = first;
  let at = choices.made - 1;
  for (let probes = 1; at >= 0 && probes < mostProbes; probes += 1) {
    let others = new Choices(new Set([...flipped, at]));
    let other = await probeOnce(context, made, others);
    // A choice may be seen to be right only once the next one, which it has led to, is taken the other way as well.
    if (other.differences.length > 0 && other.confirmed === confirmed && others.made > at + 1) {
      probes += 1;
      others = new Choices(new Set([...others.flipped, others.made - 1]));
      other = await probeOnce(context, made, others);
    }
    if (other.differences.length === 0) return other;
    if (other.confirmed > confirmed) {
      flipped = others.flipped;
      choices = others;
      ({ confirmed } = other);
      at = choices.made;
    }
    do at -= 1;
    while (flipped.has(at));
  }
  return first;
}

async function probeOnce(
  context: RunContext,
  { planned: { check, operation }, attempt, exchanges, earlier }: MadeAttempt,
  choices: Choices,
): Promise<Recomputed> {
  const target = new RecordedTarget(context, exchanges, attempt.gaveUp?.reason);
  const client = new CaseClient(
    { ...context, ...steeredBy(target, choices, check), senderFor: () => target },
    check.id,
    operation,
    attempt.attempt,
    earlier,
  );
  const differences: string[] = [];
  try {
    await check.probe(client, operation);
    if (attempt.gaveUp !== undefined && !target.isExhausted)
      differences.push(
        `${operation.id}/${check.id}: the attempt is recorded as given up, and all of its requests were answered`,
      );
  } catch (error) {
    if (error instanceof UnrecordedRequest) {
      // The budget had no room for it, and what followed cannot be computed.
      if (error.role === 'reduction') {
        const { differences: wrong, confirmed } = target;
        return { differences: wrong, confirmed, disturbance: 'reduced inputs' };
      }
      differences.push(error.message);
    } else if (!(error instanceof InconclusiveError))
      differences.push(`${check.id}: ${(error as Error).message}`);
  }
  const [unplanned] = target.left;
  if (unplanned !== undefined && differences.length === 0)
    differences.push(`${unplanned.id}: the plan requires no such request`);
  return { differences: [...target.differences, ...differences], confirmed: target.confirmed };
}

function disturbanceOf(exchange: Exchange): Disturbance | undefined {
  const { role, response, failure } = exchange;
  // The budget decides how far an input is reduced.
  if (role === 'reduction') return 'reduced inputs';
  if (failure !== undefined) return 'lost connections';
  if (mayBeThrottling(exchange)) return 'overload';
  return response?.body.truncated === true ? 'cut bodies' : undefined;
}
