import type { Question, RecordedDecisions } from '../model/decisions.ts';

/** Takes the decisions of one attempt: a run makes and records them, a verification reads them. */
export interface Decisions {
  /** `decide` answers the question in a run; `usual` is the answer that is not recorded. */
  ask(question: Question, about: string, usual: boolean, decide: () => boolean): boolean;
}

/** The decisions of an attempt under way. */
export class MadeDecisions implements Decisions {
  readonly #keys = new DecisionKeys();
  readonly #unusual: Record<string, boolean> = {};

  /** The decisions so far that differ from the usual ones. */
  get recorded(): RecordedDecisions {
    return this.#unusual;
  }

  ask(question: Question, about: string, usual: boolean, decide: () => boolean): boolean {
    const key = this.#keys.next(question, about);
    const decision = decide();
    if (decision !== usual) this.#unusual[key] = decision;
    return decision;
  }
}

/** The decisions of a recorded attempt. */
export class ReadDecisions implements Decisions {
  readonly #keys = new DecisionKeys();
  readonly #recorded: ReadonlyMap<string, boolean>;
  readonly #unread: Set<string>;

  constructor(recorded: RecordedDecisions = {}) {
    this.#recorded = new Map(Object.entries(recorded));
    this.#unread = new Set(this.#recorded.keys());
  }

  /** Recorded decisions that the attempt did not have to take. */
  get unread(): readonly string[] {
    return [...this.#unread];
  }

  ask(question: Question, about: string, usual: boolean): boolean {
    const key = this.#keys.next(question, about);
    this.#unread.delete(key);
    return this.#recorded.get(key) ?? usual;
  }
}

/** Names of decisions; an equal question that is asked again gets a number. */
class DecisionKeys {
  readonly #asked = new Map<string, number>();

  next(question: Question, about: string): string {
    const key = `${question} ${about}`;
    const times = (this.#asked.get(key) ?? 0) + 1;
    this.#asked.set(key, times);
    return times === 1 ? key : `${key} (${times})`;
  }
}
