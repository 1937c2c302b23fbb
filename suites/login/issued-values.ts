import { sentBody } from '../../harness/checks/vary-body.ts';
import { parseBody } from '../../harness/evidence/answer.ts';
import { type Leaf, leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';

/** A value of a login in the body of its return. */
export interface IssuedValue {
  /** As it was sent. */
  readonly sent: string;
  /** The same value of another login, whose return has not been consumed. */
  readonly fresh: string;
}

/**
 * The values in the body of a return that were captured from the initiation of the login, each with a fresh one. Another
 * capture shows where such a value stands in the response to an initiation, and so which value of the body came from there.
 */
export async function issuedValues(client: CaseClient, consumed: Exchange): Promise<readonly IssuedValue[]> {
  const sent = sentBody(consumed);
  if (sent === undefined) return [];
  const texts = [...leavesOf(parseBody(sent)).values()].map(String);
  const initiate = client.withRole('initiates-login').id;
  const sources = client.exchanges.filter(({ operation }) => operation === initiate);
  const found: IssuedValue[] = [];
  for (const source of sources) {
    const name = client.capturedBy(source);
    if (name === undefined) continue;
    const fresh = String(await client.capture(name));
    const again = client.exchanges.findLast(({ operation }) => operation === source.operation);
    const [before, now] = [source, again].map((exchange) => leavesOf(parseBody(exchange?.response?.body)));
    const value = [...(now ?? [])]
      .filter(([, leaf]) => String(leaf) === fresh)
      .map(([pointer]): Leaf | undefined => before?.get(pointer))
      .find((leaf) => leaf !== undefined && texts.some((text) => text.includes(String(leaf))));
    if (value !== undefined) found.push({ sent: String(value), fresh });
  }
  return found;
}

/** The body of a return with other values in place of the captured ones; numbers stay numbers. */
export function exchangeValues(body: Json, changed: ReadonlyMap<string, string>): Json {
  return JSON.parse(JSON.stringify(body), (_name, value: Json) => {
    if (typeof value === 'number') {
      const text = changed.get(String(value));
      return text === undefined ? value : Number(text);
    }
    if (typeof value !== 'string') return value;
    let text = value;
    for (const [from, to] of changed) text = text.replaceAll(from, () => to);
    return text;
  }) as Json;
}

/** The parsed body of a request that was recorded as it was sent. */
export function sentJson(exchange: Exchange): Json {
  return (parseBody(sentBody(exchange)) ?? null) as Json;
}
