import { Agent, type buildConnector, Client, type Dispatcher } from 'undici';
import { Http2Carrier } from './http2-carrier.ts';

/** A protocol that requests go over. */
export type Protocol = 'HTTP/1.1' | 'HTTP/2';

/** How connections are made, and what undici is told of them. */
export interface ConnectionPlan {
  readonly origin: string;
  readonly http1: Client.Options;
  readonly connectHttp2: buildConnector.connector;
}

/** Connections to one origin over either protocol, made when they are first needed. */
export class Connections {
  readonly #plan: ConnectionPlan;
  readonly #most: number;
  #http1: Agent | Client | undefined;
  #http2: Http2Carrier | undefined;
  #madeOverHttp1 = 0;

  /** At most so many at once over HTTP/1.1; over HTTP/2 one for each request under way. */
  constructor(plan: ConnectionPlan, most: number) {
    this.#plan = plan;
    this.#most = most;
  }

  /** Connections made so far. */
  get made(): number {
    return this.#madeOverHttp1 + (this.#http2?.made ?? 0);
  }

  dispatcher(protocol: Protocol): Pick<Dispatcher, 'dispatch'> {
    return protocol === 'HTTP/2' ? this.#overHttp2() : this.#overHttp1();
  }

  /** Ends all of them at once. */
  async destroy(): Promise<void> {
    await Promise.all([this.#http1?.destroy(), this.#http2?.destroy()]);
  }

  #overHttp1(): Agent | Client {
    if (this.#http1 !== undefined) return this.#http1;
    const { origin, http1 } = this.#plan;
    this.#http1 =
      this.#most === 1 ? new Client(origin, http1) : new Agent({ ...http1, connections: this.#most });
    this.#http1.on('connect', () => {
      this.#madeOverHttp1 += 1;
    });
    return this.#http1;
  }

  #overHttp2(): Http2Carrier {
    this.#http2 ??= new Http2Carrier(this.#plan.origin, this.#plan.connectHttp2);
    return this.#http2;
  }
}
