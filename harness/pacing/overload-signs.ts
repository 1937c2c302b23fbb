import { headerOf } from '../evidence/answer.ts';
import type { CredentialKind, Exchange, ExchangeRole } from '../model/exchange.ts';

/** Undocumented statuses that services use for overload. */
export const otherOverload: readonly number[] = [420, 502, 503, 504, 509, 529];

/** Stands for a page under 403 that a limiter in front may have sent. */
const limitedByPage = 420;

/** A response, as far as it may be a limiter's. */
export interface PacedAnswer {
  readonly status: number | undefined;
  readonly contentType: string | undefined;
  readonly credential: CredentialKind;
  /** The request is one that a conforming service may refuse for what is in it. */
  readonly isProbe: boolean;
}

/**
 * The status that a response counts as for the pace. A limiter or a ban in front may answer 403 with a page; to a probe,
 * that page is rather a firewall's, unless pages under 403 have been seen to pass.
 */
export function paceStatus(
  { status, contentType, credential, isProbe }: PacedAnswer,
  pagesPass: boolean,
): number | undefined {
  return isPageUnder403({ status, contentType, credential }) && (!isProbe || pagesPass)
    ? limitedByPage
    : status;
}

/** Whether something in front answered 403 with a page; to a key without the scope, the page may be the service's own. */
export function isPageUnder403({ status, contentType, credential }: Omit<PacedAnswer, 'isProbe'>): boolean {
  return status === 403 && credential !== 'unscoped' && /^text\/html/i.test(contentType ?? '');
}

/** What a recorded exchange tells about the pace. */
export function pacedAnswerOf(exchange: Exchange): PacedAnswer {
  const { request, response, failure, role } = exchange;
  return {
    status: failure === undefined ? response?.status : undefined,
    contentType: headerOf(exchange, 'content-type'),
    credential: request.credential.kind,
    isProbe: isProbe(role),
  };
}

/** Whether calls in this role may be refused for what is in them. */
export function isProbe(role: ExchangeRole): boolean {
  return role === 'probe' || role === 'reduction';
}

/** Whether the status of a response, or its page under 403, may be a limiter's. */
export function mayBeThrottling(exchange: Exchange): boolean {
  const answer = pacedAnswerOf(exchange);
  return otherOverload.includes(exchange.response?.status ?? 0) || isPageUnder403(answer);
}

/** Which operations served, and which signalled overload; depends only on the order of the responses. */
export class OverloadSigns {
  readonly #served = new Set<string>();
  readonly #overloaded = new Set<string>();

  /** Notes a complete response. */
  note(operation: string, status: number | undefined): void {
    if (status !== undefined && otherOverload.includes(status)) this.#overloaded.add(operation);
    else this.#served.add(operation);
  }

  /** Whether several operations that serve otherwise return this status: a fault of the whole target, not of one input. */
  isWidespread(operation: string, status: number | undefined): boolean {
    if (status === undefined || !otherOverload.includes(status)) return false;
    return this.#served.has(operation) && this.#overloaded.size > 1;
  }

  /** Whether any operation has served. */
  get hasServed(): boolean {
    return this.#served.size > 0;
  }

  /** An independent copy. */
  copy(): OverloadSigns {
    const copy = new OverloadSigns();
    for (const operation of this.#served) copy.#served.add(operation);
    for (const operation of this.#overloaded) copy.#overloaded.add(operation);
    return copy;
  }
}
