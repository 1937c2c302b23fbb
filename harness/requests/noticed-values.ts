import { Semaphore } from '../semaphore.ts';
import type { Rider } from './riders.ts';

/** Operations at which a factor was noticed, after which the target is taken to notice it at all. */
const several = 3;

/** More values than these are no cause of their own: what they have in common is that there are many. */
export const mostTogether = 2;
/** Stands for the values of a factor that were noticed only beside many others: too much was sent at once. */
export const inCompany = '';

/** Stands for all path parameters. */
export const pathFactor = 'path';
/** Stands for all factors of a client. */
export const anyFactor = 'client';

/** Parameters of pages, which many services know: that they refuse a value of one tells nothing about other parameters. */
const ofPages = /^(?:page|limit|offset|cursor|per_page|page_size)=/;

/** What reads a value, and so may refuse all of its kind: whatever reads the factor, or a parameter of pages. */
export function readerOf([factor, value]: Rider): string {
  return (factor === 'query' && ofPages.exec(value)?.[0]) || factor;
}

/**
 * Values of factors, such as of a header, that the target noticed in this run although it should not, or need not have. Where
 * a joined call deviates, the search for its cause begins with those of other operations.
 */
export class NoticedValues {
  readonly #noticed: Array<{ readonly factor: string; readonly value: string; readonly operation: string }> =
    [];
  readonly #refused: Rider[] = [];
  /** One search at a time, so that each begins with what those before it found. */
  readonly searches: Semaphore = new Semaphore(1);
  /** One joined call at a time, so that each leaves out what the target refused in those before it. */
  readonly joinedCalls: Semaphore = new Semaphore(1);

  /** Notes a value that makes a difference at an operation; an empty one stands for all of a factor, in company. */
  note([factor, value]: Rider, operation: string): void {
    this.#noticed.push({ factor, value, operation });
  }

  has([factor, value]: Rider): boolean {
    return this.#noticed.some((one) => one.factor === factor && one.value === value);
  }

  /** Whether the target noticed two values of a factor, and so is taken to notice any. */
  hasAny(factor: string): boolean {
    return this.#of(factor, 'value') > 1 || this.has([factor, inCompany]);
  }

  isEverywhere(factor: string): boolean {
    return this.#of(factor, 'operation') >= several;
  }

  noteRefusal(value: Rider): void {
    this.#refused.push(value);
  }

  refusedOf(factor: string): ReadonlySet<string> {
    return new Set(this.#refused.flatMap(([name, value]) => (name === factor ? value : [])));
  }

  #of(factor: string, what: 'value' | 'operation'): number {
    return new Set(this.#noticed.flatMap((one) => (one.factor === factor ? one[what] : []))).size;
  }
}
