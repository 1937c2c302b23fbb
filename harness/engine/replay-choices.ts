import type { ActiveCheck } from '../checks/check.ts';
import { type PacedAnswer, paceStatus } from '../pacing/overload-signs.ts';
import { retryPauses } from '../requests/propagation-delay.ts';
import type { RunContext } from '../requests/run-context.ts';
import { stateLocks } from '../requests/state-locks.ts';
import type { RecordedTarget } from './recorded-target.ts';

/** Decisions that depended on timing: the evidence suggests one way, and those in `flipped` are taken the other way. */
export class Choices {
  /** Numbers of the choices that are taken the other way. */
  readonly flipped: ReadonlySet<number>;
  made = 0;

  constructor(flipped: ReadonlySet<number>) {
    this.flipped = flipped;
  }

  take(suggested: boolean): boolean {
    const isFlipped = this.flipped.has(this.made);
    this.made += 1;
    return isFlipped ? !suggested : suggested;
  }
}

/** The parts of a context by which the state of the run steers a probe; here the recorded exchanges do. */
export function steeredBy(
  target: RecordedTarget,
  choices: Choices,
  { steps }: ActiveCheck,
): Pick<
  RunContext,
  'rateLimiter' | 'reservations' | 'fuzzBudget' | 'availability' | 'propagationDelay' | 'sessions' | 'locks'
> {
  const ended = new Set<string>();
  const parts = {
    rateLimiter: {
      forgetPace: (): void => {},
      get remaining(): number {
        return choices.take(target.left.length > 0) ? Number.MAX_SAFE_INTEGER : 0;
      },
    },
    reservations: { total: 0, expectMore: (): void => {} },
    fuzzBudget: {
      open: (_id: string, name: string) => ({
        grant: async (most: number): Promise<number> =>
          Math.min(
            most,
            target.randomInputs((step) => steps?.[step]?.isRandom === true, name),
          ),
        learn: (): void => {},
        close: (): void => {},
      }),
    },
    availability: {
      overloadPasses: true,
      paceStatusOf: (answer: PacedAnswer): number | undefined => paceStatus(answer, true),
      noteOverloadPersisted: (): void => {},
      isWidespread: (): boolean => true,
      mayBeOfConnection: (): boolean => false,
      isOverload: (): boolean => choices.take(target.hasRepetition()),
      noteOverloadPassed: (): void => {},
      // Calls at the same time may stand between a refusal and its repetition.
      isThrottledForEver: (id: string): boolean =>
        choices.take(target.left.every(({ operation }) => operation !== id)),
      noteThrottledThroughout: (): void => {},
    },
    propagationDelay: {
      ms: 0,
      tookUntil: (): void => {},
      waited: (): void => {},
      issued: (value: string): void => void ended.delete(value),
      ended: (value: string): void => void ended.add(value),
      // Which other values are fresh depends on the calls of other cases, too; whether the call is repeated shows it.
      isFresh: (values: readonly string[]): boolean => !values.some((value) => ended.has(value)),
      retry: async <T>(
        _operation: string,
        call: () => Promise<T>,
        isEarly: (answer: T) => boolean,
      ): Promise<{ answer: T; waitedMs: number }> => {
        let answer = await call();
        if (isEarly(answer) && choices.take(target.hasRepetition(retryPauses[0])))
          for (let tries = 0; tries < retryPauses.length && isEarly(answer); tries += 1)
            answer = await call();
        return { answer, waitedMs: 0 };
      },
    },
    sessions: {
      get anyOpened(): boolean {
        return choices.take(true);
      },
      follow: (): void => {},
      hasEnded: (): boolean =>
        choices.take(target.left[0]?.role === 'cleanup' || target.hasRepetition(1_000)),
      list: (): readonly string[] => [],
    },
    locks: stateLocks(),
  };
  return parts as unknown as RunContext;
}
