import { statusOf } from '../../evidence/answer.ts';
import type { GaveUp } from '../../evidence/evidence-format.ts';
import { reasonOf } from '../../evidence/outside.ts';
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

  /** Whether the run bears out what ended an attempt, or anything outside of it where that is not told. */
  bearOut(gaveUp?: GaveUp): boolean {
    const { run, count } = this.#of;
    const isBorneOut = {
      budget: count >= run.options.maxRequests * spentShare,
      throttling: this.#isThrottled,
      'time-out': this.#late.size > 0,
    };
    if (gaveUp === undefined) return Object.values(isBorneOut).includes(true);
    const { outside, reason } = gaveUp;
    if (outside === undefined || reason !== reasonOf(outside)) return false;
    const { kind, operation = '' } = outside;
    return kind === 'time-out' ? this.#late.has(operation) : isBorneOut[kind];
  }
}
