import { EventEmitter } from 'node:events';
import type { Exchange, HeaderList } from '../model/exchange.ts';
import type { RecordedAttempt } from './evidence-format.ts';
import { generatedValues } from './sent-values.ts';

/** Emits every exchange of a run, and every evaluated attempt; keeps none. */
export class Recorder extends EventEmitter<{ exchange: [Exchange]; attempt: [RecordedAttempt] }> {
  readonly #blocks = new BlockRecognizer();
  readonly #numbers = new Map<string, number>();
  /** Exchanges so far. */
  count = 0;

  /** The next number within an attempt, from 1; makes ids unique in a run. */
  nextNumber(attempt: string): number {
    const number = (this.#numbers.get(attempt) ?? 0) + 1;
    this.#numbers.set(attempt, number);
    return number;
  }

  /** Records an exchange, marked where a firewall in front answered it. */
  record(answered: Exchange): Exchange {
    const exchange = this.#blocks.isBlocked(answered) ? asBlocked(answered) : answered;
    this.count += 1;
    this.emit('exchange', exchange);
    return exchange;
  }
}

/** With its members in the order in which evidence holds them. */
function asBlocked(answered: Exchange): Exchange {
  const { request: _q, response: _s, failure: _f, startedAt: _a, durationMs: _d, ...about } = answered;
  return { ...about, blockedInFront: true, ...answered };
}

/** The rows of preflight calls with queries that firewalls block, and of those with ordinary queries. */
export const provocative = { query: 'attack' } as const;
export const harmless = { query: 'no attack' } as const;

/** Headers of the harness whose values are others in each call, or belong to its body. */
const changing = ['x-request-id', 'traceparent', 'authorization', 'content-type'];

/**
 * Recognizes a firewall in front by its behaviour, regardless of the form of its responses: it answers 403 with one body to calls
 * of several public operations that look like an attack, but not to the same calls with other words. The same
 * exchanges in the same order give the same result, so a reader of evidence can recognize it as well.
 */
export class BlockRecognizer {
  /** Of operations that answered a provocative call with 403, the body. */
  readonly #provoked = new Map<string, string>();
  /** Operations that let the harmless query pass. */
  readonly #open = new Set<string>();
  #plainHeaders: string | undefined;
  #body: string | undefined;

  /** Whether the firewall answered an exchange; takes note of those of the preflight. */
  isBlocked(exchange: Exchange): boolean {
    if (exchange.role === 'preflight') this.#learn(exchange);
    // A refusal of an attack by 403 was provoked, and says nothing about other calls.
    if (exchange.row?.['query'] === provocative.query) return exchange.response?.status === 403;
    return (
      this.#body !== undefined &&
      exchange.response?.status === 403 &&
      bodyOf(exchange) === this.#body &&
      this.#isUnusual(exchange)
    );
  }

  #learn(exchange: Exchange): void {
    const { operation, row, request, response } = exchange;
    if (response === undefined) return;
    if (row?.['query'] === provocative.query) {
      if (response.status === 403) this.#provoked.set(operation, bodyOf(exchange));
    } else {
      this.#plainHeaders ??= comparable(request.headers);
      if (row?.['query'] === harmless.query && response.status !== 403) this.#open.add(operation);
    }
    const bodies = [...this.#provoked].flatMap(([id, body]) => (this.#open.has(id) ? [body] : []));
    const [body] = bodies;
    // A single operation may have other reasons for this response.
    this.#body = bodies.length > 1 && bodies.every((one) => one === body) ? body : undefined;
  }

  /** Whether a call differs from a valid one in more than its key: a firewall inspects contents and knows no keys. */
  #isUnusual({ role, request }: Exchange): boolean {
    if (role !== 'probe' && role !== 'reduction' && role !== 'witness') return false;
    return (
      request.body !== undefined ||
      request.path.includes('?') ||
      comparable(request.headers) !== this.#plainHeaders ||
      generatedValues(request).length > 0
    );
  }
}

function comparable(headers: HeaderList): string {
  return JSON.stringify(headers.filter(([name]) => !changing.includes(name)));
}

/** The same for every block, so that no error of a service that numbers its requests is taken for one. */
function bodyOf({ response }: Exchange): string {
  return response?.body.text ?? '';
}
