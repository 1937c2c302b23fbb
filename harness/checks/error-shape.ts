import { isOk, parseBody, statusOf } from '../evidence/answer.ts';
import { keptAt } from '../kept-at.ts';
import type { Exchange, RecordedBody } from '../model/exchange.ts';

/** An answer whose body is a JSON object, with the shape of that. */
export interface ShapedAnswer {
  readonly operation: string;
  readonly status: number;
  /** Types by path, two levels deep, such as `error.code` to `string`. */
  readonly members: ReadonlyMap<string, string>;
  readonly exchange: Exchange;
}

type Sample = Omit<ShapedAnswer, 'exchange'>;

/** The shape of a result or an error; undefined for any other response, and for a body that is not a JSON object. */
export function shapedAnswer(exchange: Exchange): ShapedAnswer | undefined {
  const [status, body] = [statusOf(exchange) ?? 0, exchange.response?.body];
  if ((status !== 200 && status < 400) || body?.json !== 'object') return undefined;
  if (body.truncated && parseBody(body) === undefined) return undefined;
  return { operation: exchange.operation, status, members: membersOf(body), exchange };
}

/** Collective checks look at the same bodies once for each operation. */
const known = new WeakMap<RecordedBody, ReadonlyMap<string, string>>();

/** The types of a JSON object's members by path, two levels deep, in the order of their names; empty for any other body. */
export function membersOf(body: RecordedBody): ReadonlyMap<string, string> {
  return keptAt(known, body, () => readMembers(parseBody(body)));
}

function readMembers(body: unknown): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  for (const [name, value] of entriesOf(body)) {
    members.set(name, typeOf(value));
    for (const [inner, deeper] of entriesOf(value)) members.set(`${name}.${inner}`, typeOf(deeper));
  }
  return new Map([...members].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The names of the top-level members among such types. */
export function topLevel(members: ReadonlyMap<string, string>): readonly string[] {
  return [...members.keys()].filter((path) => !path.includes('.'));
}

/** The names of the top-level members of a 200 with an object; empty for any other response. */
export function membersShown(exchange: Exchange): readonly string[] {
  const shaped = isOk(exchange) ? shapedAnswer(exchange) : undefined;
  return shaped === undefined ? [] : topLevel(shaped.members);
}

/** Groups of samples that share top-level members, the group with the most operations and statuses first. */
export function clustersOf<S extends Sample>(samples: readonly S[]): ReadonlyArray<readonly S[]> {
  let clusters: Array<{ names: ReadonlySet<string>; samples: readonly S[] }> = [];
  for (const sample of samples) {
    const names = new Set(topLevel(sample.members));
    const linked = clusters.filter((cluster) =>
      names.size === 0 ? cluster.names.size === 0 : [...names].some((name) => cluster.names.has(name)),
    );
    clusters = [
      ...clusters.filter((cluster) => !linked.includes(cluster)),
      {
        names: new Set([...linked.flatMap((cluster) => [...cluster.names]), ...names]),
        samples: [...linked.flatMap((cluster) => cluster.samples), sample],
      },
    ];
  }
  return clusters
    .map((cluster) => cluster.samples)
    .sort((a, b) => weight(b) - weight(a) || leastStatus(a) - leastStatus(b));
}

function weight(samples: readonly Sample[]): number {
  return new Set(samples.map(({ operation, status }) => `${operation} ${status}`)).size;
}

function leastStatus(samples: readonly Sample[]): number {
  return Math.min(...samples.map(({ status }) => status));
}

function entriesOf(value: unknown): ReadonlyArray<readonly [string, unknown]> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function typeOf(value: unknown): string {
  // An empty list says as little: PHP writes an empty map so.
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
