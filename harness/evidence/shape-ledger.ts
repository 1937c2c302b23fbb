import { hash } from 'node:crypto';
import type { Operation } from '../../spec/contract.ts';
import { keptAt } from '../kept-at.ts';
import type { Exchange } from '../model/exchange.ts';
import type { ShapeEntry } from '../model/report.ts';
import { mayBeAnotherRoute, parseBody, statusOf } from './answer.ts';
import { BodyShapeBuilder } from './body-shape.ts';

/** Bodies of one kind that are remembered, so that equal ones are read once. */
const mostRemembered = 128;
/** Length up to which a body is its own key; longer ones are hashed. */
const longestMark = 1_024;

interface Kept {
  readonly builder: BodyShapeBuilder;
  readonly read: Set<string>;
  bodies: number;
  unread: number;
}

/** The shapes of JSON bodies per operation and documented status, in bounded memory. */
export class ShapeLedger {
  readonly #kept = new Map<string, Kept>();

  readonly observe = (exchange: Exchange): void => {
    const status = statusOf(exchange);
    const body = exchange.response?.body;
    if (status === undefined || body === undefined) return;
    // Another route has other shapes.
    if (mayBeAnotherRoute(exchange)) return;
    // Bodies that are not JSON have no shape; a truncated body may still be JSON.
    if (!body.truncated && (body.json === 'malformed' || body.json === 'empty')) return;
    const kept = keptAt(this.#kept, `${exchange.operation} ${status}`, nothingKept);
    kept.bodies += 1;
    if (body.truncated) {
      kept.unread += 1;
      return;
    }
    const { text } = body;
    const mark = text.length <= longestMark ? text : hash('sha1', text, 'base64');
    if (kept.read.has(mark)) return;
    if (kept.read.size < mostRemembered) kept.read.add(mark);
    kept.builder.add(parseBody(body));
  };

  entries(operations: readonly Operation[]): readonly ShapeEntry[] {
    return operations.flatMap(({ id: operation, statuses }) =>
      statuses.flatMap((status) => {
        const kept = this.#kept.get(`${operation} ${status}`);
        if (kept === undefined) return [];
        const { builder, bodies, unread } = kept;
        return [{ operation, status, shape: { bodies, unread, ...builder.shape() } }];
      }),
    );
  }
}

function nothingKept(): Kept {
  return { builder: new BodyShapeBuilder(), read: new Set(), bodies: 0, unread: 0 };
}
