import type { Question, RecordedDecisions } from '../model/decisions.ts';

/** Takes the decisions of one attempt: a run makes and records them, a verification reads them. */
export interface Decisions {
  /** `decide` answers the question in a run; `usual` is the answer that is not recorded. */
  ask<T extends boolean | number>(question: Question, about: string, usual: T, decide: () => T): T;
  /** The same for answers that take time. */
  askLater<T extends boolean | number>(
    question: Question,
    about: string,
    usual: T,
    decide: () => Promise<T>,
  ): Promise<T>;
}

/** The decisions of an attempt under way. */
export class MadeDecisions implements Decisions {
  readonly #keys = new DecisionKeys();
  readonly #unusual: Record<string, boolean | number> = {};

  /** The decisions so far that differ from the usual ones. */
  get recorded(): RecordedDecisions {
    return this.#unusual;
  }

  ask<T extends boolean | number>(question: Question, about: string, usual: T, decide: () => T): T {
    const key = this.#keys.next(question, about);
    return this.#note(key, usual, decide());
  }

  async askLater<T extends boolean | number>(
    question: Question,
    about: string,
    usual: T,
    decide: () => Promise<T>,
  ): Promise<T> {
    const key = this.#keys.next(question, about);
    return this.#note(key, usual, await decide());
  }

  #note<T extends boolean | number>(key: string, usual: T, decision: T): T {
    if (decision !== usual) this.#unusual[key] = decision;
    return decision;
  }
}

/** The decisions of a recorded attempt. */
export class ReadDecisions implements Decisions {
  readonly #keys = new DecisionKeys();
  readonly #recorded: ReadonlyMap<string, boolean | number>;
  readonly #unread: Set<string>;

  constructor(recorded: RecordedDecisions = {}) {
    this.#recorded = new Map(Object.entries(recorded));
    this.#unread = new Set(this.#recorded.keys());
  }

  /** Recorded decisions that the attempt did not have to take. */
  get unread(): readonly string[] {
    return [...this.#unread];
  }

  ask<T extends boolean | number>(question: Question, about: string, usual: T): T {
    const key = this.#keys.next(question, about);
    this.#unread.delete(key);
    const decision = this.#recorded.get(key);
    return typeof decision === typeof usual ? (decision as T) : usual;
  }

  async askLater<T extends boolean | number>(question: Question, about: string, usual: T): Promise<T> {
    return this.ask(question, about, usual);
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
