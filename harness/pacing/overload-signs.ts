import { headerOf } from '../evidence/answer.ts';
import type { Exchange } from '../model/exchange.ts';

/** Undocumented statuses that services use for overload. */
export const otherOverload: readonly number[] = [420, 502, 503, 504, 509, 529];

/** Statuses of gateways whose connection to the service was closed while it was idle. */
const ofLostConnection: readonly number[] = [502, 503];

/** Stands for a page under 403 that a limiter in front may have sent. */
const limitedByPage = 420;

/** A response, as far as it may be a limiter's. */
export interface PacedAnswer {
  readonly status: number | undefined;
  readonly contentType: string | undefined;
  /** The key may lack the scope that the operation needs, so that a 403 is the service's own. */
  readonly mayLackScope: boolean;
  /** The request is one that a conforming service may refuse for what is in it. */
  readonly isUnusual: boolean;
  /** The connection may have carried other requests before. */
  readonly isKept: boolean;
}

/** Whether a gateway may have answered for the connection alone, which a repeated call on a fresh one shows. */
export function mayBeOfConnection({ status, isKept }: PacedAnswer): boolean {
  return isKept && status !== undefined && ofLostConnection.includes(status);
}

/**
 * The status that a response counts as for the pace. A limiter or a ban in front may answer 403 with a page; to an
 * unusual request, that page is rather a firewall's, and to a key without the scope the service's own, unless pages
 * under 403 have been seen to pass.
 */
export function paceStatus(
  { status, contentType, mayLackScope, isUnusual }: PacedAnswer,
  pagesPass: boolean,
): number | undefined {
  const mayBeOwn = mayLackScope && !pagesPass;
  return isPageUnder403({ status, contentType, mayLackScope: mayBeOwn }) && (!isUnusual || pagesPass)
    ? limitedByPage
    : status;
}

/** Whether something in front answered 403 with a page. */
export function isPageUnder403({
  status,
  contentType,
  mayLackScope,
}: Omit<PacedAnswer, 'isUnusual' | 'isKept'>): boolean {
  return status === 403 && !mayLackScope && /^text\/html/i.test(contentType ?? '');
}

/** Whether the status of a response, or its page under 403, may be a limiter's. */
export function mayBeThrottling(exchange: Exchange): boolean {
  const status = exchange.response?.status;
  const contentType = headerOf(exchange, 'content-type');
  return otherOverload.includes(status ?? 0) || isPageUnder403({ status, contentType, mayLackScope: false });
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
