import { setTimeout as pause } from 'node:timers/promises';

/** A call of a story. */
export interface Act {
  /** Sent at the same time as the act before it, or a moment later. */
  readonly beside?: 'at once' | 'later' | undefined;
}

/** Milliseconds in which a service begins with a call, and does not end it if it is a write. */
const momentMs = 8;

/** Sends the acts of a story in their order, those beside one another at once; `isInGroup` tells these apart. */
export async function play<A extends Act>(
  story: readonly A[],
  send: (act: A, isInGroup: boolean) => Promise<unknown>,
): Promise<void> {
  const starts = story.flatMap(({ beside }, at) => (beside !== undefined && at > 0 ? [] : [at]));
  for (const [nth, start] of starts.entries()) {
    const group = story.slice(start, starts[nth + 1]);
    const begin = async (act: A): Promise<unknown> => {
      if (act.beside === 'later') await pause(momentMs);
      return send(act, group.length > 1);
    };
    await Promise.all(group.map(begin));
  }
}
