import { statusOf } from '../../evidence/answer.ts';
import type { Evidence } from '../../evidence/read-evidence.ts';
import type { Exchange } from '../../model/exchange.ts';

/** Share of the limit that a run has sent where none is left: half of it is planned, and the rest was spent beside the plan. */
const spentShare = 3 / 4;

/** Why attempts give up beside what their responses require, as far as the exchanges of the run bear it out; other reasons end a run. */
export class OutsideReasons {
  readonly #of: Pick<Evidence, 'run' | 'count'>;
  readonly #late = new Set<string>();
  #isThrottled = false;

  constructor(of: Pick<Evidence, 'run' | 'count'>) {
    this.#of = of;
  }

  note(exchange: Exchange): void {
    if (exchange.failure?.kind === 'timeout') this.#late.add(exchange.operation);
    this.#isThrottled ||= statusOf(exchange) === 429;
  }

  /** Whether the run bears out this reason, or any where none is told. */
  bearOut(reason?: string): boolean {
    const { run, count } = this.#of;
    const isSpent = count >= run.options.maxRequests * spentShare;
    const reasons = [
      ...(isSpent
        ? [/^the (?:remaining request budget has no room for it|budget of \d+ requests is spent)$/]
        : []),
      ...(this.#isThrottled ? [/^the target has throttled for \d+ s/] : []),
      ...[...this.#late].map((operation) => new RegExp(`^${operation} did not answer in time$`)),
    ];
    return reasons.some((one) => reason === undefined || one.test(reason));
  }
}
