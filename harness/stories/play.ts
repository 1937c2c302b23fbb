import type { CaseClient } from '../calls/case-client.ts';
import type { Step, UnnamedStep } from '../checks/step.ts';
import type { Exchange } from '../model/exchange.ts';
import type { StepPlan } from '../sampling/step-plan.ts';

/** A step of a story, and what its sending depends on; `Seen` is what a check makes of the exchanges so far. */
export interface UnnamedAct<Seen> extends UnnamedStep {
  /** Sent only if this holds for what came before. */
  readonly when?: (seen: Seen) => boolean;
  /** The story ends where this does not hold for the response; undefined if the act could not be sent. */
  readonly needs?: (exchange: Exchange | undefined, seen: Seen) => boolean;
  /** Sent at the same time as the act before it. */
  readonly beside?: true;
}

/** The same with its name. */
export type Act<Seen> = UnnamedAct<Seen> & Step;

/** Sends the acts of stories. */
export interface Player<A, Seen> {
  /** What a check makes of the exchanges so far. */
  seen(): Seen;
  /** Sends an act; undefined where there is nothing to send, such as a read of a session that could not be created. */
  send(act: A): Promise<Exchange | undefined>;
}

/** Sends the acts of a story that the run plans; true if the story did not end early. */
export async function play<Seen, A extends Act<Seen>>(
  client: CaseClient,
  story: readonly A[],
  player: Player<A, Seen>,
): Promise<boolean> {
  for (const group of atOnce(story)) {
    const due = group.filter((act) => isWanted(client, act) && act.when?.(player.seen()) !== false);
    const exchanges = await Promise.all(due.map((act) => player.send(act)));
    if (due.some(({ needs }, at) => needs?.(exchanges[at], player.seen()) === false)) return false;
  }
  return true;
}

/** Whether the run plans a step; one that a response calls for is no part of the plan, but keeps to its operations and profiles. */
function isWanted(client: CaseClient, { followUp: _, ...plan }: StepPlan): boolean {
  return client.plans(plan);
}

/** The acts in groups that are sent together. */
function atOnce<A extends UnnamedAct<never>>(story: readonly A[]): ReadonlyArray<readonly A[]> {
  const starts = story.flatMap((act, at) => (act.beside === true && at > 0 ? [] : [at]));
  return starts.map((start, at) => story.slice(start, starts[at + 1]));
}
