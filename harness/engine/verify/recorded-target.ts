import { type Served, servedBy, type Transport } from '../../calls/pipeline.ts';
import type { RunContext } from '../../calls/run-context.ts';
import type { WantedControl } from '../../calls/shared-controls.ts';
import type { DedicatedConnection } from '../../http/http-client.ts';
import { parseAnswerBody } from '../../http/record-answer.ts';
import type { Exchange, RecordedBody, RecordedCredential } from '../../model/exchange.ts';
import type { Answered, CallSpec } from '../../requests/call-spec.ts';
import { InconclusiveError } from '../../requests/inconclusive-error.ts';
import { buildRequest, type ReadyCall, recordRequest, riderNames } from '../../requests/request-builder.ts';
/** A request of the plan that the evidence does not hold. */
export class UnrecordedRequest extends Error {
  constructor(operation: string, { label }: CallSpec) {
    super(`${operation}: the evidence lacks a planned request (${label})`);
  }
}

/** A request that a recorded attempt did not send, because it gave up. */
export class KeptBack extends InconclusiveError {}

/** Replaces the target by the recorded exchanges of one attempt, each used for the request that it answers. */
export class RecordedTarget implements Transport {
  readonly #left: Exchange[];
  readonly #context: RunContext;
  readonly #gaveUp: string | undefined;
  /** How recorded requests differ from the computed ones. */
  readonly differences: string[] = [];
  /** Exchanges whose request was computed and is as recorded. */
  confirmed = 0;
  /** Whether a request was sent that is not recorded. */
  isExhausted = false;

  constructor(context: RunContext, exchanges: readonly Exchange[], gaveUp?: string) {
    this.#context = context;
    this.#left = [...exchanges];
    this.#gaveUp = gaveUp;
  }

  get left(): readonly Exchange[] {
    return this.#left;
  }

  openConnection(): DedicatedConnection {
    return standInConnection as unknown as DedicatedConnection;
  }

  openPipe(calls: number): readonly DedicatedConnection[] {
    return Array.from({ length: calls }, () => this.openConnection());
  }

  async close(): Promise<void> {}

  readonly send = async (ready: ReadyCall): Promise<Served> => {
    const { operation, spec } = ready;
    const call = { operation: operation.id, role: spec.role, label: spec.label, step: spec.step };
    const same = this.#left.findIndex(
      (one) => isSameCall(one, call) && this.#differenceOf(one, ready) === undefined,
    );
    const at = same >= 0 ? same : this.#left.findIndex((one) => isSameCall(one, call));
    const exchange = this.#left[at];
    if (exchange === undefined) {
      this.isExhausted = true;
      if (this.#gaveUp !== undefined) throw new KeptBack(this.#gaveUp);
      throw new UnrecordedRequest(operation.id, spec);
    }
    const difference = same < 0 ? this.#differenceOf(exchange, ready) : undefined;
    if (difference === undefined) this.confirmed += 1;
    else this.differences.push(`${exchange.id}: ${difference}`);
    this.#left.splice(at, 1);
    const { failure } = exchange;
    if (failure?.kind === 'proxy') throw new InconclusiveError(failure.message, { transient: true });
    return servedBy(ready, exchange, bodyOf(exchange));
  };

  /** How the recorded request differs from the computed one; undefined where it does not. */
  #differenceOf({ id, row, neutral, request: recorded }: Exchange, ready: ReadyCall): string | undefined {
    const { spec } = ready;
    const computed = recordRequest(this.#context, buildRequest(this.#context, ready, id), recorded);
    const parts: ReadonlyArray<readonly [string, unknown, unknown]> = [
      ['method', computed.method, recorded.method],
      ['row', spec.row, row],
      ['list of riders', riderNames(spec).neutral, neutral],
      ['credential', named(computed.credential), named(recorded.credential)],
      ['headers', computed.headers, recorded.headers],
      ['path', computed.path, recorded.path],
      ['list of values', computed.values, recorded.values],
      ['body', comparable(computed.body), comparable(recorded.body)],
    ];
    const wrong = parts.find(([, a, b]) => JSON.stringify(a) !== JSON.stringify(b));
    if (wrong === undefined) return undefined;
    const [name, a, b] = wrong;
    const [required, found] = name === 'headers' ? differing(computed.headers, recorded.headers) : [a, b];
    const verb = name === 'headers' ? 'are' : 'is';
    return `the ${name} ${verb} ${short(found)}, and the plan requires ${short(required)}`;
  }
}

/**
 * The calls that an attempt took over from other cases, as it is recorded. Where it sent a call of its own for the step,
 * nothing was taken over.
 */
export class RecordedControls implements NonNullable<RunContext['controls']> {
  readonly #left: Exchange[];
  readonly #target: RecordedTarget;

  constructor(shared: readonly Exchange[], target: RecordedTarget) {
    this.#left = [...shared];
    this.#target = target;
  }

  async get({ operation, step, isOwn }: WantedControl, send: () => Promise<Answered>): Promise<Answered> {
    const isWanted = (one: Exchange): boolean => one.operation === operation.id && one.step === step;
    if (isOwn || this.#target.left.some(isWanted)) return send();
    const at = this.#left.findIndex(isWanted);
    const [exchange] = at < 0 ? [] : this.#left.splice(at, 1);
    return exchange === undefined ? send() : { exchange, body: bodyOf(exchange) };
  }

  note(): void {}

  async forValues(operation: string, send: () => Promise<Answered>): Promise<Answered> {
    const exchange = this.#left.find((one) => one.step === undefined && one.operation === operation);
    return exchange === undefined ? send() : { exchange, body: bodyOf(exchange) };
  }
}

/** The body of a recorded response, parsed when it is read. */
export function bodyOf({ response }: Exchange): Answered['body'] {
  const { body } = response ?? {};
  const bytes = Buffer.from(body?.text ?? '', body?.encoding ?? 'utf-8');
  return () => parseAnswerBody(bytes);
}

const standInConnection = { connections: 0, close: async (): Promise<void> => {} };

type NamedCall = Pick<Exchange, 'operation' | 'role' | 'label'> & { readonly step?: string | undefined };

function isSameCall(a: NamedCall, b: NamedCall): boolean {
  return a.operation === b.operation && a.role === b.role && a.label === b.label && a.step === b.step;
}

/** A credential without its fingerprint, which only its own run can compute; every credential except `none` has one. */
function named({ kind, description, fingerprint }: RecordedCredential): string {
  return `${kind}, ${description}${fingerprint === undefined ? ', without a fingerprint' : ''}`;
}

function differing<T>(a: readonly T[], b: readonly T[]): readonly [readonly T[], readonly T[]] {
  const at = a.findIndex((one, index) => JSON.stringify(one) !== JSON.stringify(b[index]));
  return at < 0 ? [[], b.slice(a.length)] : [a.slice(at), b.slice(at)];
}

/** The size of a body with a placeholder depends on the secret, which is not known. */
function comparable(body: RecordedBody | undefined): unknown {
  if (body === undefined || !body.text.includes('<')) return body;
  const { bytes: _bytes, ...rest } = body;
  return rest;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 160 ? `${text.slice(0, 160)} (cut)` : text;
}
