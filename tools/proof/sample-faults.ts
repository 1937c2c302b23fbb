import type { Fault } from '../../fixtures/faults/fault.ts';
import { groupBy } from '../../harness/group-by.ts';

/** At most so many faults of each check, spread evenly over its list; the next seed shifts the choice by one. */
export function sampleFaults<T extends Pick<Fault, 'breaks'>>(
  faults: readonly T[],
  atMost: number,
  seed: number,
): readonly T[] {
  const chosen = new Set<T>();
  for (const all of groupBy(faults, ({ breaks }) => breaks.check).values()) {
    const count = Math.min(atMost, all.length);
    for (let index = 0; index < count; index += 1) {
      const fault = all[(Math.floor((index * all.length) / count) + seed - 1) % all.length];
      if (fault !== undefined) chosen.add(fault);
    }
  }
  return faults.filter((fault) => chosen.has(fault));
}
