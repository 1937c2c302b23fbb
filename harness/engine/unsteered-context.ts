import { type PacedAnswer, paceStatus } from '../pacing/overload-signs.ts';
import { PropagationDelay } from '../requests/propagation-delay.ts';
import type { RunContext } from '../requests/run-context.ts';
import { stateLocks } from '../requests/state-locks.ts';

/** The parts of a context whose state steers the probes of a run; here recorded decisions do. */
export function unsteered(): Partial<RunContext> {
  const nothing = (): void => {};
  const parts = {
    rateLimiter: { forgetPace: nothing, remaining: Number.MAX_SAFE_INTEGER },
    reservations: { total: 0 },
    availability: {
      paceStatusOf: (answer: PacedAnswer): number | undefined => paceStatus(answer, true),
      overloadPasses: false,
      isOverload: (): boolean => false,
      isWidespread: (): boolean => false,
      mayBeOfConnection: (): boolean => false,
      noteOverloadPersisted: nothing,
      noteFreshConnection: nothing,
      noteOverloadPassed: nothing,
      isThrottledForEver: (): boolean => true,
      noteThrottledThroughout: nothing,
    },
    propagationDelay: new PropagationDelay(async () => {}),
    sessions: { follow: nothing, list: (): readonly string[] => [] },
    locks: stateLocks(),
  };
  return parts as unknown as Partial<RunContext>;
}
