import type { Exchange } from '../model/exchange.ts';
import type { Count, Text } from '../model/formats.ts';
import { statusOf } from './answer.ts';
import type { GaveUp } from './evidence-format.ts';
import type { Evidence } from './read-evidence.ts';

/** Reasons of the run, not of its own responses, to end an attempt: no requests left, throttling, or a silent operation. */
export interface Outside {
  readonly kind: 'budget' | 'throttling' | 'time-out';
  /** For how long the target had throttled. */
  readonly seconds?: Count;
  /** The operation that did not answer in time. */
  readonly operation?: Text;
}

/** Its description in reports. */
export function reasonOf({ kind, seconds, operation }: Outside): string {
  if (kind === 'budget') return 'the remaining request budget has no room for it';
  if (kind === 'throttling') return `the target has throttled for ${seconds} s`;
  return `${operation} did not answer in time`;
}

/** Minimum share of the limit that a run without requests left has sent: half of the limit is planned, the rest is for other requests. */
const spentShare = 3 / 4;

/** Reasons why attempts give up that the exchanges of the run confirm; other reasons end a run. */
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

  /** Whether the run confirms the reason that ended an attempt, or any outside reason if none is stated. */
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
