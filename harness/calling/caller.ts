import { randomUUID } from 'node:crypto';
import type { Operation } from '../../spec/contract.ts';
import { CannotJudge } from '../checks/cannot-judge.ts';
import type { Lane, OutgoingRequest, RawAnswer } from '../client/http-client.ts';
import { recordBody } from '../client/record-body.ts';
import type { SuppliedDocument } from '../document/supplied-document.ts';
import { BudgetSpent, PatienceSpent } from '../pacing/governor.ts';
import { statusOf } from '../recording/answer.ts';
import type { Exchange, ExchangeRole, HeaderList, UsedValue } from '../recording/exchange.ts';
import { seededRandom } from '../seeded-random.ts';
import { placeholdersIn, UNIQUE } from '../target/placeholders.ts';
import type { Capture, Json } from '../target/target.ts';

import { fillPlaceholders } from './fill-placeholders.ts';
import { valueAt } from './json-pointer.ts';
import type { Credential, KeyRing } from './key-ring.ts';
import { likelySessionId } from './session-id.ts';
import type { Workbench } from './workbench.ts';

const createSession = 'createHostedCheckoutSession';
const cancelSession = 'cancelHostedCheckoutSession';

/** A body that goes out as these bytes under this media type; `undefined` as media type leaves the header out. */
export interface RawBody {
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
}

/** A valid call of an operation, with at most one thing changed. */
export interface CallSpec {
  readonly role: ExchangeRole;
  /** What this call is within its case; stands in reports. */
  readonly label: string;
  /** Another operation than that of the case. */
  readonly operation?: Operation;
  /** Another credential than the operation asks for. */
  readonly credential?: Credential;
  /** Values for path parameters in place of known ones, before percent-encoding. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Like `parameters`, but these go out exactly as given: percent-encoded already, or deliberately not. */
  readonly rawParameters?: Readonly<Record<string, string>>;
  /** Another body than the known valid one; `none` leaves it out. */
  readonly body?: RawBody | 'none';
  /** A connection of its own, or one on which calls follow each other; the shared pool by default. */
  readonly connection?: 'fresh' | Lane;
  /** Puts a placeholder where nothing valid is known, instead of giving up. */
  readonly placeholders?: boolean;
  /** Takes a 429 for an answer, in place of waiting it out. */
  readonly acceptThrottled?: boolean;
  /**
   * Takes a reset for an answer. Elsewhere a call that is reset is made again on a fresh connection, because a server
   * may close an idle one at any moment; a connection that is kept busy is none.
   */
  readonly acceptReset?: boolean;
  /** Waits for an answer even where the operation has often given none. */
  readonly persistent?: boolean;
}

const slower = '--rate <fewer requests per second>';

/** Tries of one call that is throttled every time. */
const throttledTries = 12;
/** Tries of one call that is answered with an undocumented sign of overload, such as 503, before that is its answer. */
const overloadedTries = 3;

/** Reads of something that was just made, before a 404 is the answer: not every service reads its own writes at once. */
const settlingTries = 4;
/** Milliseconds between two of them. */
const settlingPause = 250;

/** Sends the calls of one attempt at one case, and keeps what was exchanged. */
export class Caller {
  readonly #bench: Workbench;
  readonly #check: string;
  readonly #operation: Operation;
  readonly #attempt: number;
  readonly #exchanges: Exchange[] = [];
  readonly #lanes: Lane[] = [];
  /** Connections that have carried a request that was authenticated, by how many connections the lane had then. */
  readonly #authenticatedLanes = new Map<Lane, number>();
  readonly #held = new Map<string, string | number>();
  /** The last JSON body as it came, secrets included: for taking values out of it, never to be kept. */
  lastBody: unknown;

  constructor(bench: Workbench, check: string, operation: Operation, attempt: number) {
    this.#bench = bench;
    this.#check = check;
    this.#operation = operation;
    this.#attempt = attempt;
  }

  /** The answered calls so far; throttled ones are left out, for they decide nothing here. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  get keys(): KeyRing {
    return this.#bench.keys;
  }

  /** The platform's own OpenAPI document; undefined where the user gave none. */
  get document(): SuppliedDocument | undefined {
    return this.#bench.document;
  }

  /** The known valid body of the operation, captured values taken afresh; throws `CannotJudge` where none is known. */
  async validBody(): Promise<Json> {
    const template = this.#bench.known.body(this.#operation);
    if (template === undefined) throw this.#noBody(this.#operation);
    this.#held.clear();
    return this.fill(template);
  }

  get operations(): readonly Operation[] {
    return this.#bench.contract.operations;
  }

  /** Numbers that depend on the seed and the case alone. */
  random(...labels: readonly string[]): () => number {
    return seededRandom(this.#bench.seed, this.#check, this.#operation.id, ...labels);
  }

  /** Whether any session was created in this run so far. */
  get hasOpenedSessions(): boolean {
    return this.#bench.sessions.anyOpened;
  }

  /** Waits, for what takes time on the other side. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  /** The operation with this id. */
  operation(id: string): Operation {
    const found = this.#bench.contract.operations.find((operation) => operation.id === id);
    if (found === undefined) throw new Error(`the contract has no operation ${id}`);
    return found;
  }

  /** The known value of a path parameter; takes a captured one afresh where that is what it is. */
  async knownValue(name: string, operation: Operation = this.#operation): Promise<UsedValue> {
    const value = this.#bench.known.value(operation, name);
    if (value !== undefined) return value;
    if (this.#captureFor(name) !== undefined) {
      const captured = this.#held.get(name) ?? (await this.#capture(name, operation.method === 'POST'));
      return { value: String(captured), source: this.#captureSource(name) };
    }
    throw new CannotJudge(`no ${name} is known that exists on the target`, {
      remedy: `parameters: { ${operation.id}: { ${name}: <one that exists> } }`,
    });
  }

  /** Takes a captured value anew, whatever is held. */
  async capture(name: string): Promise<string | number> {
    this.#held.delete(name);
    return this.#capture(name, false);
  }

  /** One connection on which calls follow each other; closed with the attempt. */
  openLane(): Lane {
    const lane = this.#bench.client.openLane();
    this.#lanes.push(lane);
    return lane;
  }

  /** Ends the connections of this attempt. */
  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  /**
   * Makes the call, throttled answers left aside: these are waited out, and the whole call is prepared anew, for the
   * outcome of a request that ended in an error is never guessed. Throws `CannotJudge`.
   */
  async call(spec: CallSpec): Promise<Exchange> {
    const operation = spec.operation ?? this.#operation;
    const { liveness, sessions } = this.#bench;
    if (operation.method === 'POST' && this.#bench.readOnly) {
      throw new CannotJudge('nothing is posted in a read-only run', { remedy: 'run without --read-only' });
    }
    let connection = spec.connection;
    let settling = 0;
    for (let tries = 1; tries <= throttledTries; tries += 1) {
      this.#refuseToWaitInVain(operation, spec);
      const prepared = await this.#prepare(operation, spec);
      const exchange = await this.#send(operation, spec, prepared, connection);
      if (spec.acceptThrottled !== true) {
        if (isThrottled(exchange)) continue;
        if (liveness.isOverload(operation.id, exchange.response?.status) && tries < overloadedTries) continue;
      }
      const isEarly = readsTooEarly(operation, exchange);
      if (settling > 0 && (!isEarly || settling === settlingTries)) sessions.waitedFor(!isEarly);
      if (isEarly && settling < settlingTries && sessions.areWorthWaitingFor) {
        settling += 1;
        await this.pause(settlingPause);
        continue;
      }
      if (connection === undefined && isStaleConnection(exchange) && spec.acceptReset !== true) {
        // A server may close an idle connection at any moment; that says nothing about the request.
        connection = 'fresh';
        continue;
      }
      this.#exchanges.push(exchange);
      return exchange;
    }
    throw new CannotJudge('the target throttled every try', {
      remedy: slower,
      transient: true,
    });
  }

  #refuseToWaitInVain(operation: Operation, spec: CallSpec): void {
    const { liveness } = this.#bench;
    if (spec.role === 'preflight') return;
    if (liveness.dead !== undefined) throw new CannotJudge('the target stopped answering');
    if (liveness.isGivenUp(operation.id) && spec.persistent !== true) {
      throw new CannotJudge(`${operation.id} did not answer in time, again and again`, {
        remedy: '--timeout <more milliseconds>',
      });
    }
  }

  async #prepare(operation: Operation, spec: CallSpec): Promise<Prepared> {
    const values: Record<string, UsedValue> = {};
    // What a POST consumes must not be used twice; reads may share what is held.
    if (operation.method === 'POST') this.#held.clear();
    for (const name of operation.pathParameters) {
      const given = spec.rawParameters?.[name] ?? spec.parameters?.[name];
      values[name] =
        given === undefined
          ? await this.#valueOrPlaceholder(name, operation, spec)
          : { value: given, source: 'generated' };
    }
    // A body that names the resource names the one of the path.
    for (const [name, value] of Object.entries(spec.parameters ?? {})) {
      if (this.#captureFor(name) !== undefined) this.#held.set(name, value);
    }
    const body = await this.#body(operation, spec);
    const path = operation.path.replace(
      /\{(\w+)\}/g,
      (_all, name: string) => spec.rawParameters?.[name] ?? encodeURIComponent(values[name]?.value ?? ''),
    );
    return { path, values, body };
  }

  async #valueOrPlaceholder(name: string, operation: Operation, spec: CallSpec): Promise<UsedValue> {
    try {
      return await this.knownValue(name, operation);
    } catch (error) {
      if (!(error instanceof CannotJudge) || spec.placeholders !== true) throw error;
      return { value: `conformance-${name.toLowerCase()}`, source: 'generated' };
    }
  }

  async #body(operation: Operation, spec: CallSpec): Promise<RawBody | undefined> {
    if (spec.body === 'none') return undefined;
    if (spec.body !== undefined) return spec.body;
    if (operation.requestSchema === undefined) return undefined;
    const template = this.#bench.known.body(operation);
    if (template === undefined) {
      if (spec.placeholders === true) return jsonBody({});
      throw this.#noBody(operation);
    }
    return jsonBody(await this.fill(template, spec.placeholders === true));
  }

  #noBody(operation: Operation): CannotJudge {
    return new CannotJudge(`no valid body of ${operation.id} is known`, {
      remedy: `bodies: { ${operation.id}: { … a valid ${operation.requestSchema} … } }`,
    });
  }

  /** A body with the captured values that it asks for put in. */
  async fill(template: Json, placeholders = false): Promise<Json> {
    const values = new Map<string, string | number>();
    for (const { name } of placeholdersIn(template)) {
      if (values.has(name)) continue;
      if (name === UNIQUE) values.set(name, randomUUID());
      else if (this.#bench.known.capture(name) !== undefined) {
        try {
          values.set(name, this.#held.get(name) ?? (await this.#capture(name, false)));
        } catch (error) {
          if (!(error instanceof CannotJudge) || !placeholders) throw error;
        }
      }
    }
    return fillPlaceholders(template, values);
  }

  #captureFor(name: string): Capture | undefined {
    const given = this.#bench.known.capture(name);
    if (given !== undefined) return given;
    return name === 'sessionId' ? { from: createSession, pointer: '' } : undefined;
  }

  #captureSource(name: string): 'captured' | 'discovered' {
    return this.#bench.known.capture(name) === undefined ? 'discovered' : 'captured';
  }

  async #capture(name: string, hold: boolean): Promise<string | number> {
    const capture = this.#captureFor(name);
    if (capture === undefined) throw new Error(`there is no capture ${name}`);
    const source = this.operation(capture.from);
    const held = new Map(this.#held);
    const exchange = await this.call({ role: 'setup', label: `takes ${name}`, operation: source });
    // Preparing a POST drops what is held, and this one was only made to take one more value.
    for (const [heldName, value] of held) this.#held.set(heldName, value);
    const status = statusOf(exchange);
    if (status === undefined || status >= 300) {
      throw new CannotJudge(`${name} is taken from ${capture.from}, which answered ${status ?? 'nothing'}`, {
        transient: true,
      });
    }
    const value = this.#extract(name, this.lastBody);
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new CannotJudge(`the answer of ${capture.from} holds no ${name}`, {
        remedy: `captures: { ${name}: { from: ${capture.from}, pointer: /… } }`,
      });
    }
    if (hold || this.#operation.method === 'GET') this.#held.set(name, value);
    this.#holdSiblings(name, capture.from);
    return value;
  }

  /** Values of one answer belong together: two of them must not come from two logins. */
  #holdSiblings(name: string, from: string): void {
    for (const [sibling, capture] of Object.entries(this.#bench.target.captures)) {
      if (sibling === name || capture.from !== from) continue;
      const value = this.#extract(sibling, this.lastBody);
      if (typeof value === 'string' || typeof value === 'number') this.#held.set(sibling, value);
    }
  }

  #extract(name: string, body: unknown): unknown {
    const given = this.#bench.known.capture(name);
    return given === undefined ? likelySessionId(body) : valueAt(body, given.pointer);
  }

  async #send(
    operation: Operation,
    spec: CallSpec,
    prepared: Prepared,
    connection: CallSpec['connection'],
  ): Promise<Exchange> {
    const { client, governor, liveness, target } = this.#bench;
    const credential = spec.credential ?? this.#ownCredential(operation, spec);
    const prefix = `${this.#operation.id}/${this.#check}/${this.#attempt}`;
    const id = `${prefix}.${this.#bench.recorder.nextNumber(prefix)}`;
    const headers: Array<readonly [string, string]> = [
      ['user-agent', this.#bench.userAgent],
      ['accept', 'application/json'],
      ['x-request-id', `${this.#bench.runId}/${id}`],
      ...target.headers,
    ];
    if (credential.header !== undefined) headers.push(['authorization', credential.header]);
    if (prepared.body?.contentType !== undefined) headers.push(['content-type', prepared.body.contentType]);
    const request: OutgoingRequest = {
      method: operation.method,
      path: new URL(target.baseUrl).pathname.replace(/\/$/, '') + prepared.path,
      headers,
      ...(prepared.body === undefined ? {} : { body: prepared.body.bytes }),
    };
    const lane = connection === 'fresh' ? this.openLane() : connection;
    let startedAt = '';
    let raw: RawAnswer;
    try {
      raw = await governor.run(
        () => {
          startedAt = new Date().toISOString();
          return (lane ?? client).send(request);
        },
        ({ failure, status }) => {
          if (failure !== undefined) return 'unanswered';
          if (status === 429) return 'throttled';
          return liveness.isOverload(operation.id, status) ? 'overloaded' : 'served';
        },
        spec.role === 'cleanup' || spec.role === 'provocation' ? spec.role : 'case',
      );
    } catch (error) {
      if (error instanceof PatienceSpent) throw new CannotJudge(error.message, { remedy: slower });
      if (error instanceof BudgetSpent)
        throw new CannotJudge(error.message, { remedy: 'raise --max-requests' });
      throw error;
    }
    // Only now it is known whether the connection that was authenticated was still there.
    const reused = lane !== undefined && this.#authenticatedLanes.get(lane) === lane.connections;
    if (connection === 'fresh') await lane?.close();
    if (lane !== undefined && raw.status === 200 && credential.kind !== 'none') {
      this.#authenticatedLanes.set(lane, lane.connections);
    }
    const exchange: Exchange = {
      id,
      operation: operation.id,
      case: { check: this.#check, operation: this.#operation.id },
      role: spec.role,
      label: spec.label,
      attempt: this.#attempt,
      request: this.#recordRequest(request, headers, credential, prepared, lane, reused),
      ...this.#recordAnswer(raw),
      startedAt,
      durationMs: Math.round(raw.durationMs * 100) / 100,
    };
    this.lastBody = parseLeniently(raw.body);
    this.#followSessions(operation, prepared, raw);
    this.#bench.recorder.record(exchange);
    if (spec.role !== 'preflight') await liveness.note(operation.id, raw.failure?.kind, raw.status);
    return exchange;
  }

  #ownCredential(operation: Operation, spec: CallSpec): Credential {
    if (operation.auth === 'none') return this.keys.none;
    if (this.keys.scoped !== undefined) return this.keys.scoped;
    if (operation.scope === undefined && this.keys.unscoped !== undefined) return this.keys.unscoped;
    if (spec.placeholders === true) return this.keys.none;
    throw new CannotJudge(
      `no key${operation.scope === undefined ? '' : ` with ${operation.scope}`} is known`,
      {
        remedy: `keys: { scoped: ${'$'}{COMMERCE_KEY} }`,
      },
    );
  }

  #recordRequest(
    request: OutgoingRequest,
    headers: HeaderList,
    credential: Credential,
    prepared: Prepared,
    lane: Lane | undefined,
    reused: boolean,
  ): Exchange['request'] {
    const { secrets } = this.#bench;
    const written = this.#bench.target.authorization.replace('{key}', () => `<${credential.description}>`);
    return {
      method: request.method,
      path: secrets.redact(request.path),
      headers: headers.map(([name, value]) =>
        name === 'authorization' ? [name, written] : [name, secrets.redact(value)],
      ),
      credential: {
        kind: credential.kind,
        description: credential.description,
        ...(credential.secret === undefined ? {} : { fingerprint: secrets.fingerprint(credential.secret) }),
      },
      values: prepared.values,
      ...(prepared.body === undefined ? {} : { body: recordBody(prepared.body.bytes, secrets) }),
      connection: lane === undefined ? 'shared' : reused ? 'reused' : 'fresh',
    };
  }

  #recordAnswer(raw: RawAnswer): Pick<Exchange, 'response' | 'failure'> {
    const { secrets } = this.#bench;
    return {
      ...(raw.status === undefined
        ? {}
        : {
            response: {
              status: raw.status,
              headers: raw.headers.map(([name, value]) => [name, secrets.redact(value)]),
              body: recordBody(raw.body, secrets, raw.failure === undefined),
            },
          }),
      ...(raw.failure === undefined
        ? {}
        : { failure: { kind: raw.failure.kind, message: secrets.redact(raw.failure.message) } }),
    };
  }

  #followSessions(operation: Operation, prepared: Prepared, raw: RawAnswer): void {
    if (raw.status === undefined || raw.status < 200 || raw.status >= 300) return;
    if (operation.id === createSession) {
      const id = this.#extract('sessionId', this.lastBody);
      if (typeof id === 'string' || typeof id === 'number') this.#bench.sessions.opened(String(id));
    }
    if (operation.id === cancelSession)
      this.#bench.sessions.closed(prepared.values['sessionId']?.value ?? '');
  }
}

interface Prepared {
  readonly path: string;
  readonly values: Readonly<Record<string, UsedValue>>;
  readonly body: RawBody | undefined;
}

/** A JSON value as a body under `application/json`. */
export function jsonBody(value: Json): RawBody {
  return { bytes: Buffer.from(JSON.stringify(value)), contentType: 'application/json' };
}

function isThrottled(exchange: Exchange): boolean {
  return exchange.response?.status === 429 && exchange.failure === undefined;
}

/** A read of what an earlier call made says that it is not there. */
function readsTooEarly({ method }: Operation, { request, response }: Exchange): boolean {
  const values = Object.entries(request.values);
  return (
    method === 'GET' &&
    response?.status === 404 &&
    values.some(
      ([name, { source }]) => source === 'captured' || (name === 'sessionId' && source === 'discovered'),
    )
  );
}

function isStaleConnection(exchange: Exchange): boolean {
  return exchange.failure?.kind === 'reset' && exchange.response === undefined;
}

function parseLeniently(bytes: Buffer): unknown {
  try {
    // An id beyond 2^53 would come out rounded; as text it keeps its digits.
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
    return JSON.parse(text.replace(/(?<=[:[,]\s*)-?\d{16,}(?=\s*[,}\]])/g, '"$&"'));
  } catch {
    return undefined;
  }
}
