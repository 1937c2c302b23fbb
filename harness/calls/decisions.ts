import type { Question, RecordedDecisions } from '../model/decisions.ts';

/** The decisions of one attempt, each under a name; an equal question that is asked again gets a number. */
export abstract class Decisions {
  readonly #asked = new Map<string, number>();

  /** `decide` answers the question in a run; `usual` is the answer that is not recorded. */
  ask(question: Question, about: string, usual: boolean, decide: () => boolean): boolean {
    const name = `${question} ${about}`;
    const times = (this.#asked.get(name) ?? 0) + 1;
    this.#asked.set(name, times);
    return this.take(times === 1 ? name : `${name} (${times})`, usual, decide);
  }

  protected abstract take(name: string, usual: boolean, decide: () => boolean): boolean;
}

export class MadeDecisions extends Decisions {
  /** Those so far that differ from the usual ones. */
  readonly recorded: Record<string, boolean> = {};

  protected take(name: string, usual: boolean, decide: () => boolean): boolean {
    const decision = decide();
    if (decision !== usual) this.recorded[name] = decision;
    return decision;
  }
}

export class ReadDecisions extends Decisions {
  readonly #recorded: RecordedDecisions;
  /** Recorded decisions that the attempt did not have to take. */
  readonly unread: Set<string>;

  constructor(recorded: RecordedDecisions = {}) {
    super();
    this.#recorded = recorded;
    this.unread = new Set(Object.keys(recorded));
  }

  protected take(name: string, usual: boolean): boolean {
    // A usual decision is not recorded.
    if (this.#recorded[name] === usual || !this.unread.delete(name)) return usual;
    return !usual;
  }
}
