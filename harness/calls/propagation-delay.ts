import { isSafe, type Operation } from '../../spec/operation.ts';
import { endOf, statusOf } from '../evidence/answer.ts';
import { keptAt } from '../kept-at.ts';
import type { Answered, CallSpec } from '../requests/call-spec.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import type { KnownValues } from '../requests/known-values.ts';
import type { PreparedCall } from '../requests/valid-values.ts';
import type { Send, Served } from './pipeline.ts';
import type { AttemptParts } from './run-context.ts';

/** Milliseconds before each retry of a call that may have come too early; two seconds in total, which requirements allow. */
const retryPauses: readonly number[] = [250, 250, 500, 1_000];
/** Calls that no retry has helped, after which retries of their operation stop; as many more for each call that one helped. */
const futileRetries = 3;
/** Values that the target did not know in spite of the wait, below which the wait continues. */
const fewFutileWaits = 3;
/** Maximum milliseconds to wait after a write: every write of the run waits, and calls that need longer are retried. */
const longestWait = 1_000;
/** Share of futile waits above which the wait ends. */
const futileShare = 1 / 4;

/** Milliseconds by which the recorded end of a call may precede the moment at which its issued value is noted. */
const slackOfOrder = 1_000;
/** Milliseconds after which every part of a target must know an issued value. */
export const longestPropagation = 2_000;
/** A shorter text may occur in a body by chance. */
const leastIssuedLength = 8;

/** The answer to a call, and how long the client waited for it. */
export interface Propagated<T> {
  readonly answer: T;
  /** Milliseconds between the first try and the last. */
  readonly waitedMs: number;
}

/** The one policy for targets whose writes take time to be visible: how long to wait, how often to retry. */
export class PropagationDelay {
  readonly #sleep: (ms: number) => Promise<void>;
  /** Calls that retries have helped, and those that they have not, by operation. */
  readonly #retried = new Map<string, { helped: number; futile: number }>();
  /** Times since the epoch by value. */
  readonly #issued = new Map<string, number>();
  /** The same for values of a recorded run, which may have issued one more than once. */
  readonly #recalled: Array<readonly [value: string, at: number]> = [];
  #ms = 0;
  #waits = 0;
  #futileWaits = 0;

  constructor(
    sleep: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  ) {
    this.#sleep = sleep;
  }

  /** Milliseconds to wait after a write; 0 while the target is not known to need any, or where waiting does not help. */
  get ms(): number {
    const isFutile = this.#futileWaits >= fewFutileWaits && this.#futileWaits > this.#waits * futileShare;
    return isFutile ? 0 : this.#ms;
  }

  /** Notes that the target accepted a value this many milliseconds after issuing it, and refused it before. */
  tookUntil(ms: number): void {
    if (Math.min(ms, longestWait) <= this.#ms) return;
    this.#ms = Math.min(ms, longestWait);
    this.#waits = 0;
    this.#futileWaits = 0;
  }

  /** Notes whether the target knew a value after the wait. */
  waited(isKnown: boolean): void {
    this.#waits += 1;
    if (!isKnown) this.#futileWaits += 1;
  }

  /** Notes a value that the target has issued at a time since the epoch. */
  issued(value: string, at: number): void {
    this.#issued.set(value, at);
  }

  /** Notes a value that a recorded run got at a time since the epoch, regardless of what ends it. */
  recall(value: string, at: number): void {
    this.#recalled.push([value, at]);
  }

  /** Notes that a call has ended the resource of a value, so that refusals of it are final. */
  ended(value: string): void {
    this.#issued.delete(value);
  }

  /**
   * Whether a call at a time since the epoch names, in its path or its body, a value that the target had issued so shortly
   * before that a part of it need not know the value; `until` is the time of the question.
   */
  isFresh(pathValues: readonly string[], body: string, at: number, until: number = Infinity): boolean {
    return [...this.#issued, ...this.#recalled].some(
      ([value, since]) =>
        at - since < longestPropagation &&
        since <= until &&
        (pathValues.includes(value) || (value.length >= leastIssuedLength && standsIn(body, value))),
    );
  }

  /**
   * Makes a call of an operation, and retries it while it may have come too early and `repeats` agrees, which is
   * told whether retries of the operation are still expected to help. Not to be nested: retries would multiply.
   */
  async retry<T>(
    operation: string,
    call: () => Promise<T>,
    isEarly: (answer: T) => boolean,
    repeats: (answer: T, mayHelp: boolean) => boolean = (_answer, mayHelp) => mayHelp,
  ): Promise<Propagated<T>> {
    const retried = keptAt(this.#retried, operation, () => ({ helped: 0, futile: 0 }));
    let answer = await call();
    let waitedMs = 0;
    const mayHelp = retried.futile < futileRetries * (1 + retried.helped);
    if (!isEarly(answer) || !repeats(answer, mayHelp)) return { answer, waitedMs };
    for (const pause of retryPauses) {
      await this.#sleep(pause);
      waitedMs += pause;
      answer = await call();
      if (isEarly(answer) && repeats(answer, true)) continue;
      retried.helped += 1;
      return { answer, waitedMs };
    }
    retried.futile += 1;
    return { answer, waitedMs };
  }
}

/** Whether a body holds a value as a whole text, with nothing added before or after it. */
function standsIn(text: string, value: string): boolean {
  const at = text.indexOf(value);
  const around = [text[at - 1], text[at + value.length]];
  return at >= 0 && around.every((character) => character === undefined || /["'&=\s:,{}[\]]/.test(character));
}

/** The values that a 200 of an operation issues, each with the time since the epoch; undefined if it issues none. */
export function issuedBy(
  { id, role }: Operation,
  { exchange, body }: Answered,
  known: KnownValues,
): ReadonlyArray<readonly [value: string, at: number]> | undefined {
  const names = new Set([...known.captures()].flatMap(([name, { from }]) => (from === id ? [name] : [])));
  if (role === 'creates-session') names.add('sessionId');
  if (names.size === 0) return undefined;
  return [...names].flatMap((name) => {
    const value = known.extract(name, body());
    return value === undefined ? [] : [[String(value), endOf(exchange)]];
  });
}

/** Repeats calls that may have come too early after a write, and waits after a write until it is probably visible everywhere. */
export function propagate({ context, values, decisions }: AttemptParts, next: Send): Send {
  const { propagationDelay, sessions, known } = context;

  /** Notes the values that a call has issued, which a part of the target may not know yet; returns whether it issued any. */
  const noteIssued = (operation: Operation, answer: Served): boolean => {
    if (operation.role === 'ends-session')
      propagationDelay.ended(answer.exchange.request.values['sessionId']?.value ?? '');
    const issued = issuedBy(operation, answer, known);
    for (const [value, at] of issued ?? []) propagationDelay.issued(value, at);
    return issued !== undefined;
  };

  /** Notes the effect of a success on sessions. */
  const noteSession = ({ role }: Operation, { exchange, prepared, body }: Served): void => {
    if (role === 'ends-session') sessions.closed(prepared.values['sessionId']?.value ?? '');
    const id = role === 'creates-session' ? known.extract('sessionId', body()) : undefined;
    if (id !== undefined) sessions.opened(String(id), exchange.case, prepared.body?.bytes.toString() ?? '');
  };

  /** Whether a call names a session that a create of another case has returned, too, or that another case has ended. */
  const isOfAnotherCase = ({ exchange, prepared }: Served): boolean => {
    const id = prepared.values['sessionId']?.value ?? '';
    return (
      decisions.ask('ended', id, false, () => sessions.hasEnded(id)) ||
      decisions.ask('shared', id, false, () => sessions.isShared(id, exchange.case))
    );
  };

  return async (call) => {
    const { operation, spec, isRepeated = false } = call;
    let again: PreparedCall | undefined;
    let firstTryAt: number | undefined;
    let hadDelay = false;
    const send = async (): Promise<Served> => {
      hadDelay = propagationDelay.ms > 0;
      const served = await next({ ...call, again });
      // Another session or login would be as fresh as the first one was.
      again = isSafe(operation) ? undefined : served.prepared;
      return served;
    };
    const isEarly = ({ response }: Served): boolean =>
      // A call with its own delay tests the response after exactly that delay.
      (response.meaning === 'too early' || isUnknownLogin(operation, spec, response.status)) &&
      !isRepeated &&
      spec.propagationDelayMs === undefined;
    const namesNew = (served: Served): boolean => {
      if (restsOnEarlierCall(operation, served)) return true;
      if (statusOf(served.exchange) === 409 && operation.role !== 'ends-session' && isPlain(spec))
        return true;
      // The values are as fresh as at the first attempt, unless a call has since ended the resource that they name.
      firstTryAt ??= Date.parse(served.exchange.startedAt);
      const { values: sent, body } = served.prepared;
      const pathValues = Object.values(sent).map(({ value }) => value);
      const askedAt = endOf(served.exchange) + slackOfOrder;
      return propagationDelay.isFresh(pathValues, body?.bytes.toString() ?? '', firstTryAt, askedAt);
    };
    // Verification computes from the record which values the call names; only whether a retry may help is a decision of the run.
    let { answer, waitedMs } = await propagationDelay.retry(
      operation.id,
      send,
      isEarly,
      (served, mayHelp) =>
        namesNew(served) && decisions.ask('early', served.exchange.id, false, () => mayHelp),
    );
    if (isEarly(answer) && isSafe(operation) && restsOnEarlierCall(operation, answer)) {
      // A session that lives for a moment may have ended before the read had its turn.
      values.forget();
      answer = await send();
      if (isEarly(answer) && isOfAnotherCase(answer))
        throw new InconclusiveError('equal creates return one session, which another case has ended', {
          transient: true,
        });
    }
    const status = statusOf(answer.exchange);
    if (waitedMs > 0 && status === 200 && answer.prepared.isFresh) propagationDelay.tookUntil(2 * waitedMs);
    if (status !== undefined && status >= 200 && status < 300) noteSession(operation, answer);
    const issues = status === 200 && noteIssued(operation, answer);
    if (answer.prepared.isFresh && hadDelay) propagationDelay.waited(status !== 404);
    if (issues && propagationDelay.ms > 0) await context.sleep(propagationDelay.ms);
    return answer;
  };
}

/** Whether a refused call depends on a value that an earlier call of the harness created. */
function restsOnEarlierCall({ method }: Operation, { exchange, prepared }: Served): boolean {
  const { credential, values } = exchange.request;
  // A call without a good key need not find anything.
  if (method !== 'GET') return prepared.isFresh && credential.kind === 'scoped';
  return Object.entries(values).some(
    ([name, { source }]) => source === 'captured' || (name === 'sessionId' && source === 'discovered'),
  );
}

/** Whether a valid call was refused for a login that was issued for it: services answer 400 or 409 to unknown logins. */
function isUnknownLogin({ role }: Operation, spec: CallSpec, status: number | undefined): boolean {
  return role === 'consumes-login' && (status === 400 || status === 409) && isPlain(spec);
}

/** Whether a call is valid; a call that issues a value may conflict with an equal one just before it. */
function isPlain({ body, credential, headers, query }: CallSpec): boolean {
  return [body, credential, headers, query].every((part) => part === undefined);
}
