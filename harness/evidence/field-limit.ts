import { keptAt } from '../kept-at.ts';
import type { Exchange } from '../model/exchange.ts';
import { statusOf } from './answer.ts';
import { isSentAs } from './sent-values.ts';

/** A number of header fields that calls may have: with more, all get one status, whatever they ask for. */
export interface FieldLimit {
  /** The most that a call had that was answered otherwise. */
  readonly most: number;
  readonly status: number;
}

/** The number of header fields that a request had on the wire, those included that the client adds and does not record. */
export function fieldsSent(exchange: Exchange): number {
  const { method, headers } = exchange.request;
  const names = new Set(['host', 'connection', ...headers.map(([name]) => name)]);
  const isCounted = method === 'POST' && !names.has('transfer-encoding') && !names.has('content-length');
  // An offer of HTTP/2 has a field for its settings beside the upgrade.
  return names.size + Number(isCounted) + (isSentAs(exchange, 'offer of HTTP/2') ? 2 : 0);
}

/** Calls and operations that must show a limit. */
const fewestCalls = 10;
const fewestOperations = 3;

/** What calls got by their number of header fields. */
export class FieldCounts {
  /** By number: statuses with their calls and operations. */
  readonly #byCount = new Map<number, Map<number, { calls: number; operations: Set<string> }>>();

  readonly note = (exchange: Exchange): void => {
    const status = statusOf(exchange);
    if (status === undefined || status === 429) return;
    const statuses = keptAt(this.#byCount, fieldsSent(exchange), () => new Map());
    const known = keptAt(statuses, status, () => ({ calls: 0, operations: new Set<string>() }));
    known.calls += 1;
    known.operations.add(exchange.operation);
  };

  /** The limit that the calls show; undefined for none. */
  get limit(): FieldLimit | undefined {
    const counts = [...this.#byCount].sort(([a], [b]) => b - a);
    const [status = 200] = counts[0]?.[1].keys() ?? [];
    const within = counts.findIndex(([, statuses]) => statuses.size > 1 || !statuses.has(status));
    const beyond = counts.slice(0, within).flatMap(([, statuses]) => statuses.get(status) ?? []);
    const calls = beyond.reduce((sum, one) => sum + one.calls, 0);
    const operations = new Set(beyond.flatMap((one) => [...one.operations]));
    const most = counts[within]?.[0];
    if (most === undefined || status < 400 || calls < fewestCalls || operations.size < fewestOperations)
      return undefined;
    return { most, status };
  }
}
