/** Random inputs of one kind at one place, sent in batches for as long as they are granted. */
export interface RandomInputs {
  /** How many of at most so many may be sent now, some requests each; 0 where no more are. */
  grant(most: number): Promise<number>;
  /** Takes note of an answer, told apart from others by what it is like. */
  learn(answer: string): void;
  /** No more are wanted. */
  close(): void;
}

/** Share of the waiting inputs that are granted in one round where there is not enough for all. */
const favoured = 1 / 3;

/**
 * Shares out what the budget leaves for random inputs. Where it is enough for all of them, all are sent. Where it is not,
 * they go where they bring most answers that were not seen before, in rounds for which all wait.
 */
export class FuzzBudget {
  readonly #isEnough: boolean;
  readonly #room: () => number;
  readonly #onGrant: (id: string, inputs: number) => void;
  readonly #open = new Set<Stream>();

  /**
   * Whether the budget `isEnough` for all is settled beforehand, so that the same inputs are sent however the calls of
   * others happen to fall. `room` gives the requests that nothing else needs; `onGrant` is told which of them a case is
   * going to send.
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

  /** Inputs of one kind, named by the case and what they are for; to be closed. */
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

  /** Once all wait, lets those go on that bring most. */
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

  /** What the next answer may be hoped to bring: without end before the first, then by how many brought anything new. */
  get yield(): number {
    return (this.#seen.size + 1) / this.#answers;
  }
}
