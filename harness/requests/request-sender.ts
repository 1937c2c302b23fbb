import type { Operation } from '../../spec/operation.ts';
import type { DedicatedConnection, RawAnswer } from '../http/http-client.ts';
import type { Exchange } from '../model/exchange.ts';
import { interruptedReason } from '../pacing/interruption.ts';
import type { PacedAnswer } from '../pacing/overload-signs.ts';
import { BudgetExhausted, type Purpose, ThrottledTooLong } from '../pacing/rate-limiter.ts';
import { type CallSpec, isUnusual } from './call-spec.ts';
import { InconclusiveError, targetDied } from './inconclusive-error.ts';
import type { Credential } from './key-ring.ts';
import { mostParsedBytes, parseAnswerBody } from './parse-answer-body.ts';
import { recordAnswer, recordRequest } from './record-call.ts';
import { RequestBuilder } from './request-builder.ts';
import { requestIdOf } from './request-id.ts';
import type { RunContext } from './run-context.ts';
import type { PreparedCall } from './valid-values.ts';

/** The remedy for a case that the budget left no room for. */
export const moreRequests = 'raise --max-requests';
/** The remedy for a target that throttles. */
export const slower = '--rate <fewer requests per second>';

/** An exchange, and the response body from which values can be taken. */
export interface Answered {
  readonly exchange: Exchange;
  /** The parsed body, secrets included; undefined where it cannot be parsed. */
  readonly body: () => unknown;
}

/** The attempt at a case on whose behalf requests are sent. */
export interface SendingAttempt {
  readonly check: string;
  readonly operation: Operation;
  readonly attempt: number;
}

/** Sends the requests of one attempt within rate, budget and time, and records what comes back. */
export class RequestSender {
  readonly #context: RunContext;
  readonly #for: SendingAttempt;
  readonly #case: string;
  /** Start of the ids of its exchanges. */
  readonly #prefix: string;
  readonly #builder: RequestBuilder;
  readonly #connections = new Set<DedicatedConnection>();
  /** Why the budget kept a request from being sent, even where the probe goes on without it. */
  overBudget: InconclusiveError | undefined;
  /** Connections that carried an authenticated request, each with the number of sockets it had opened by then. */
  readonly #authenticated = new Map<DedicatedConnection, number>();

  constructor(context: RunContext, sendingFor: SendingAttempt) {
    const { check, operation, attempt } = sendingFor;
    this.#context = context;
    this.#for = sendingFor;
    this.#case = `${operation.id}/${check}`;
    this.#prefix = `${this.#case}/${attempt}`;
    this.#builder = new RequestBuilder(context);
  }

  /** Opens a connection for consecutive requests; closed with the attempt. */
  openConnection(): DedicatedConnection {
    const connection = this.#context.client.openConnection();
    this.#connections.add(connection);
    return connection;
  }

  /** Closes the connections of the attempt. */
  async close(): Promise<void> {
    await Promise.all([...this.#connections].map((connection) => connection.close()));
  }

  /** Throws `InconclusiveError` where neither the budget nor the target leaves room for a call. */
  admit(operation: Operation, spec: CallSpec): void {
    const { rateLimiter, reservations } = this.#context;
    if (spec.role === 'preflight') return;
    const isBeside = spec.role === 'cleanup' || spec.role === 'provocation';
    if (!isBeside && !reservations.begin(this.#case, rateLimiter.remaining)) {
      throw this.#noRoom('the remaining request budget has no room for it');
    }
    this.#refuseFutileCall(operation, spec);
  }

  /** Throws `InconclusiveError` where the request cannot be sent, or reached nothing but a proxy. */
  async send(
    operation: Operation,
    spec: CallSpec,
    prepared: PreparedCall,
    requested: CallSpec['connection'],
  ): Promise<Answered> {
    const { blocks, recorder, reservations, runId, secrets, target } = this.#context;
    const { check, operation: caseOperation, attempt } = this.#for;
    const id = `${this.#prefix}.${recorder.nextNumber(this.#prefix)}`;
    const requestId = requestIdOf(runId, id);
    const { request, credential } = this.#builder.build(operation, spec, prepared, requestId);
    if (spec.role !== 'reduction' && spec.role !== 'provocation') reservations.sent(this.#case);
    const connection = requested === 'fresh' ? this.openConnection() : requested;
    let startedAt = '';
    const isKept = connection === undefined || connection.connections > 0;
    const answerOf = (answer: RawAnswer): PacedAnswer => ({
      status: answer.status,
      contentType: answer.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1],
      mayLackScope: operation.scope !== undefined && credential.kind === 'unscoped',
      isUnusual: isUnusual(spec),
      isKept,
    });
    const raw = await this.#paced(operation, spec, answerOf, () => {
      startedAt = new Date().toISOString();
      return (connection ?? this.#context.client).send(request);
    });
    const reused = await this.#release(connection, { requested, raw, credential });
    const about = {
      id,
      operation: operation.id,
      case: { check, operation: caseOperation.id },
      role: spec.role,
      label: spec.label,
      ...(spec.step === undefined ? {} : { step: spec.step }),
      ...(spec.row === undefined ? {} : { row: spec.row }),
      ...riderNames(spec),
      attempt,
    };
    const answered: Exchange = {
      ...about,
      request: recordRequest(
        request,
        {
          credential,
          authorization: target.authorization,
          prepared,
          connection: connection === undefined ? 'shared' : reused ? 'reused' : 'fresh',
          protocol: raw.protocol,
          requestId,
        },
        secrets,
      ),
      ...recordAnswer(raw, secrets),
      startedAt,
      durationMs: Math.round(raw.durationMs * 100) / 100,
    };
    // In the order in which evidence holds the members.
    const exchange = blocks.isBlocked(answered)
      ? { ...about, blockedInFront: true as const, ...answered }
      : answered;
    recorder.record(exchange);
    if (spec.role !== 'preflight') await this.#note(operation, spec.label, raw, answerOf(raw));
    return { exchange, body: bodyOf(raw) };
  }

  /** Sends when rate, concurrency and the target's availability permit. */
  async #paced(
    operation: Operation,
    spec: CallSpec,
    answerOf: (raw: RawAnswer) => PacedAnswer,
    send: () => Promise<RawAnswer>,
  ): Promise<RawAnswer> {
    const { rateLimiter, availability, interruption } = this.#context;
    const isPreflight = spec.role === 'preflight';
    const waitsAnyway = spec.role === 'cleanup';
    const release = isPreflight ? undefined : await availability.awaitFirstAnswer(operation.id);
    try {
      const answered = rateLimiter.run(
        async () => {
          if (!isPreflight) await availability.probeFinished();
          this.#refuseFutileCall(operation, spec);
          return waitsAnyway ? send() : interruption.unlessInterrupted(send());
        },
        (raw) => {
          const { failure, durationMs } = raw;
          if (failure !== undefined) {
            if (!isPreflight)
              availability.noteFailure(operation.id, { kind: failure.kind, label: spec.label, durationMs });
            return 'unanswered';
          }
          return availability.paceSignal(operation.id, answerOf(raw));
        },
        { purpose: purposeOf(spec), operation: operation.id },
      );
      return await (waitsAnyway ? answered : interruption.unlessInterrupted(answered));
    } catch (error) {
      if (error instanceof ThrottledTooLong) {
        availability.stop(`${error.message} (set a rate that it accepts with ${slower})`);
        throw new InconclusiveError(error.message, { remedy: slower });
      }
      if (error instanceof BudgetExhausted) throw this.#noRoom(error.message);
      throw error;
    } finally {
      release?.();
    }
  }

  #noRoom(reason: string): InconclusiveError {
    this.overBudget = new InconclusiveError(reason, { remedy: moreRequests });
    return this.overBudget;
  }

  #refuseFutileCall(operation: Operation, spec: CallSpec): void {
    const { availability, interruption } = this.#context;
    if (interruption.isRequested && spec.role !== 'cleanup') throw new InconclusiveError(interruptedReason);
    if (spec.role === 'preflight') return;
    if (availability.unreachable !== undefined) throw new InconclusiveError(targetDied);
    if (availability.stopReason !== undefined && spec.role !== 'cleanup')
      throw new InconclusiveError(availability.stopReason);
    // One attempt confirms a time-out that other cases saw as well.
    if (availability.isGivenUp(operation.id) && (spec.persistent !== true || this.#for.attempt > 1)) {
      throw new InconclusiveError(`${operation.id} did not answer in time`, {
        remedy: '--timeout <more milliseconds>',
      });
    }
  }

  /** Closes a connection of one request; tells whether the request reused one that had been authenticated. */
  async #release(
    connection: DedicatedConnection | undefined,
    {
      requested,
      raw,
      credential,
    }: {
      readonly requested: CallSpec['connection'];
      readonly raw: RawAnswer;
      readonly credential: Credential;
    },
  ): Promise<boolean> {
    if (connection === undefined) return false;
    // Known only after the answer: the server may have closed the authenticated socket.
    const reused = this.#authenticated.get(connection) === connection.connections;
    if (requested === 'fresh') {
      this.#connections.delete(connection);
      await connection.close();
    } else if (raw.status === 200 && credential.kind !== 'none') {
      this.#authenticated.set(connection, connection.connections);
    }
    return reused;
  }

  async #note(
    operation: Operation,
    label: string,
    { failure, body }: RawAnswer,
    answer: PacedAnswer,
  ): Promise<void> {
    const { availability } = this.#context;
    await availability.noteAnswer(operation.id, {
      label,
      isFailure: failure !== undefined,
      status: availability.paceStatusOf(answer),
      bytes: body.length,
    });
    // Nothing reached the target, so that nothing is known about it.
    if (failure?.kind === 'proxy')
      throw new InconclusiveError(this.#context.secrets.redact(failure.message), { transient: true });
  }
}

/** What an exchange says of its riders. */
export function riderNames({ neutral = [] }: CallSpec): Pick<Exchange, 'neutral'> {
  return neutral.length === 0 ? {} : { neutral: neutral.map(([name]) => name) };
}

function purposeOf({ role, urgent }: CallSpec): Purpose {
  if (urgent === true) return 'urgent';
  return role === 'cleanup' || role === 'provocation' ? role : 'case';
}

/** Outside of the function that returns it, as it would keep the body of its surroundings. */
const nothing = (): unknown => undefined;

/** Parses a body when it is first needed; drops one that is not parsed, because a case may have many large ones. */
function bodyOf({ body, failure }: RawAnswer): () => unknown {
  if (failure !== undefined || body.length > mostParsedBytes) return nothing;
  let parsed: { readonly value: unknown } | undefined;
  return () => {
    parsed ??= { value: parseAnswerBody(body) };
    return parsed.value;
  };
}
