/** A call of a story. */
export interface Act {
  /** Sent at the same time as the act before it. */
  readonly beside?: true | undefined;
}

/** Sends the acts of a story in their order, those beside one another at once; `isInGroup` tells these apart. */
export async function play<A extends Act>(
  story: readonly A[],
  send: (act: A, isInGroup: boolean) => Promise<unknown>,
): Promise<void> {
  const starts = story.flatMap(({ beside }, at) => (beside === true && at > 0 ? [] : [at]));
  for (const [nth, start] of starts.entries()) {
    const group = story.slice(start, starts[nth + 1]);
    await Promise.all(group.map((act) => send(act, group.length > 1)));
  }
}
