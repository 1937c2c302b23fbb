import type { FailureKind } from '../recording/exchange.ts';
import { OverloadSigns, otherOverload } from './overload-signs.ts';

/** Requests without an answer, whatever they ask, after which it is looked whether the target is still there. */
const doubtsAfter = 10;
/** Requests that are named where a target died: one of them may have killed it. */
const suspects = 4;
/** Time-outs of one operation in a row after which nobody else waits for it. */
const givenUpAfter = 3;

/** Such answers of one operation, or of all together, that are taken for overload; more are simply what is answered. */
const overloadsBelieved = 30;

/** Notices early that a target died, or that one of its operations never answers, so that the run need not wait for it. */
export class Liveness {
  readonly #look: () => Promise<string | undefined>;
  readonly #timeouts = new Map<string, number>();
  readonly #signs = new OverloadSigns();
  #overloads = 0;
  #unanswered = 0;
  /** Since the last answer. */
  #firstUnanswered: string[] = [];
  #looking: Promise<void> | undefined;
  #dead: string | undefined;

  /** `look` gives the reason why the target cannot be reached, or undefined where it answers. */
  constructor(look: () => Promise<string | undefined>) {
    this.#look = look;
  }

  /** Why the target is taken for dead; undefined while it answers. */
  get dead(): string | undefined {
    return this.#dead;
  }

  /** Whether an operation has timed out so often in a row that waiting for it again is no use. */
  isGivenUp(operation: string): boolean {
    return (this.#timeouts.get(operation) ?? 0) >= givenUpAfter;
  }

  /**
   * Whether an answer is a sign that the target is asked too much: a 429, or another status where
   * several operations give it that serve otherwise. Going easy on a target that says it wrongly keeps that fault from hiding all else.
   */
  isOverload(operation: string, status: number | undefined): boolean {
    if (status === undefined || !otherOverload.includes(status)) return status === 429;
    return this.isWidespread(operation, status) && this.#overloads <= overloadsBelieved;
  }

  /** Whether several operations that serve otherwise answer so: a fault of the whole target, not of what was asked. */
  isWidespread(operation: string, status: number | undefined): boolean {
    return this.#signs.isWidespread(operation, status);
  }

  /** The signs of overload so far; they do not change with what comes later. */
  signs(): OverloadSigns {
    return this.#signs.copy();
  }

  /** Takes note of what came of a request; looks after the target where it has not answered for long. */
  async note(operation: string, failure: FailureKind | undefined, status?: number, what = ''): Promise<void> {
    if (failure === undefined) {
      if (status !== undefined && otherOverload.includes(status)) this.#overloads += 1;
      this.#signs.note(operation, status);
      this.#unanswered = 0;
      this.#firstUnanswered = [];
      this.#timeouts.delete(operation);
      return;
    }
    this.#timeouts.set(operation, failure === 'timeout' ? (this.#timeouts.get(operation) ?? 0) + 1 : 0);
    this.#unanswered += 1;
    if (this.#firstUnanswered.length < suspects) this.#firstUnanswered.push(`${operation} (${what})`);
    if (this.#unanswered < doubtsAfter) return;
    this.#looking ??= this.#look().then((reason) => {
      this.#dead =
        reason && `${reason}; the first requests without an answer: ${this.#firstUnanswered.join(', ')}`;
      this.#unanswered = 0;
      this.#looking = undefined;
    });
    await this.#looking;
  }
}
