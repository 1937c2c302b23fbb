import { sentBody } from '../../harness/checks/vary-body.ts';
import { parseBody } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';

type Members = Readonly<Record<string, Json>>;

/** Other values of the fields of a body, as a query; undefined where it has no text that could stand there. */
export function fieldsInQuery(members: Members): string | undefined {
  const texts = Object.entries(members).filter(([, value]) => typeof value === 'string');
  const others = texts.map(([name, value]): [string, string] => [name, otherThan(String(value))]);
  return others.length === 0 ? undefined : new URLSearchParams(others).toString();
}

function otherThan(value: string): string {
  return value.includes('://')
    ? `${value}${value.includes('?') ? '&' : '?'}elsewhere=1`
    : `elsewhere-${value}`;
}

/** Whether an answer shows a value of the wrong place where the usual one shows that of the right place. */
export function showsMisplaced(usual: Exchange, one: Exchange): boolean {
  const members = membersOf(one);
  const [, query = ''] = one.request.path.split('?');
  const misplaced = new Set(new URLSearchParams(query).values());
  const own = new Set([...leavesOf(members).values()].map(String));
  const [before, shown] = [usual, one].map((exchange) => leavesOf(parseBody(exchange.response?.body)));
  const sentBefore = new Set([...leavesOf(membersOf(usual)).values()].map(String));
  return [...(shown ?? [])].some(([pointer, leaf]) => {
    const isShownUsually = sentBefore.has(String(before?.get(pointer)));
    return isShownUsually && misplaced.has(String(leaf)) && !own.has(String(leaf));
  });
}

/** The members of the body that a call sent; none if it is no object. */
export function membersOf(exchange: Exchange): Members {
  const body = parseBody(sentBody(exchange));
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Members) : {};
}
