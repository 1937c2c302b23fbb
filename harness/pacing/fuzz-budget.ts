/** Random inputs of one kind at one place, sent in batches while the budget grants them. */
export interface RandomInputs {
  /** How many of at most `most` inputs may be sent now; 0 for the end. */
  grant(most: number): Promise<number>;
  /** Notes the kind of a response. */
  learn(answer: string): void;
  /** Ends the series. */
  close(): void;
}

/** Share of the waiting series that one round serves where the budget is not enough for all. */
const favoured = 1 / 3;

/**
 * Distributes what the budget leaves for random inputs. Where it is not enough for all, it goes in rounds to the series
 * with the most new kinds of responses.
 */
export class FuzzBudget {
  readonly #isEnough: boolean;
  readonly #room: () => number;
  readonly #onGrant: (id: string, inputs: number) => void;
  readonly #open = new Set<Stream>();

  /**
   * `isEnough` is fixed in advance, so that the same inputs are sent whatever the timing of other calls. `room` returns
   * the requests that nothing else needs; `onGrant` is called with the inputs granted to a case.
   */
  constructor({
    isEnough,
    room,
    onGrant,
  }: {
    readonly isEnough: boolean;
    readonly room: () => number;
    readonly onGrant: (id: string, inputs: number) => void;
  }) {
    this.#isEnough = isEnough;
    this.#room = room;
    this.#onGrant = onGrant;
  }

  /** Opens a series of inputs of one kind; close it at the end. */
  open(id: string, name: string): RandomInputs {
    const stream = new Stream(`${id} ${name}`, {
      grant: (most) => this.#grant(id, stream, most),
      close: () => {
        this.#open.delete(stream);
        this.#share();
      },
    });
    this.#open.add(stream);
    return stream;
  }

  async #grant(id: string, stream: Stream, most: number): Promise<number> {
    const granted = this.#isEnough ? most : await this.#turn(stream, most);
    this.#onGrant(id, granted);
    return granted;
  }

  #turn(stream: Stream, most: number): Promise<number> {
    return new Promise((resolve) => {
      stream.waiting = { most, resolve };
      this.#share();
    });
  }

  /** When all series wait, serves the most productive ones. */
  #share(): void {
    const streams = [...this.#open];
    if (streams.some(({ waiting }) => waiting === undefined)) return;
    streams.sort((a, b) => b.yield - a.yield || (a.name < b.name ? -1 : 1));
    let room = this.#room();
    for (const stream of room > 0 ? streams.slice(0, Math.ceil(streams.length * favoured)) : streams) {
      const { most = 0, resolve } = stream.waiting ?? {};
      const granted = Math.max(0, Math.min(most, room));
      room -= granted;
      stream.waiting = undefined;
      resolve?.(granted);
    }
  }
}

class Stream implements RandomInputs {
  readonly name: string;
  readonly grant: RandomInputs['grant'];
  readonly close: RandomInputs['close'];
  waiting: { readonly most: number; readonly resolve: (granted: number) => void } | undefined;
  readonly #seen = new Set<string>();
  #answers = 0;

  constructor(name: string, { grant, close }: Pick<RandomInputs, 'grant' | 'close'>) {
    this.name = name;
    this.grant = grant;
    this.close = close;
  }

  learn(answer: string): void {
    this.#answers += 1;
    this.#seen.add(answer);
  }

  /** Share of responses that were new; infinite before the first. */
  get yield(): number {
    return (this.#seen.size + 1) / this.#answers;
  }
}
