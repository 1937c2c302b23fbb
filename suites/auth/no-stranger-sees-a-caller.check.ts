import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { isOk, parseBody } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

/** A text with a letter that is long enough not to occur in a response by chance. */
const likeAnId = /^(?=.*[a-z])[\w-]{12,}$/i;

/** Names of members that identify a key or a session. */
const names = /(?:key|credential|client|session|checkout)(?:[_-]?id|[/]id)$/i;

// A cache or a database connection may pass a response on to the next client.
export const check: CollectiveCheck = comparedAnswers({
  requirement: 'AUTH-5',
  title: 'no public read without a key returns the id of a key or session that this run has used',
  applies: ({ auth }) => auth === 'none',
  dedupeKey: (exchange) => {
    if (!isOk(exchange)) return undefined;
    const { operation, request } = exchange;
    if (request.credential.kind === 'none')
      return [operation, pathOf(exchange), ...textsIn(exchange)].join(' ');
    const ids = idsIn(exchange);
    return ids.length === 0 ? undefined : [operation, ...ids].join(' ');
  },
  look: (mine, { operation, exchanges }) => {
    const own = mine.filter(({ request }) => request.credential.kind === 'none');
    if (own.length === 0) return 'no public read without a key was answered 200';
    const known = new Set(
      exchanges
        .filter((one) => one.operation !== operation.id && one.request.credential.kind !== 'none')
        .flatMap(idsIn),
    );
    return own.filter((one) => {
      const sent = JSON.stringify(one.request);
      const isUsual = (id: string): boolean =>
        own.every((other) => pathOf(other) !== pathOf(one) || textsIn(other).includes(id));
      const isOfCaller = (text: string): boolean => known.has(text) && !sent.includes(text);
      // A shop may show the id of its own key to everybody, each time.
      return textsIn(one).some((text) => isOfCaller(text) && !isUsual(text));
    });
  },
  statement: 'A call without a key got the id of another client’s key or session',
  expected: 'the response that the read gives without the other client',
  actual: '200 with the id of another client’s key or session',
  fix: 'Look for state that calls share: a cache that does not distinguish clients, or a variable or connection that keeps the response or the caller of another call.',
  passes: 'no public read without a key returned the id of a key or session',
});

/** The path of a call without its query. */
function pathOf({ request }: Exchange): string | undefined {
  return request.path.split('?')[0];
}

/** The ids of keys and sessions that a response shows. */
function idsIn(exchange: Exchange): readonly string[] {
  return textsIn(exchange, names);
}

/** The texts of a response that may be ids, at members of certain names. */
function textsIn({ response }: Exchange, at = /^/): readonly string[] {
  return [...leavesOf(parseBody(response?.body))].flatMap(([pointer, leaf]) =>
    typeof leaf === 'string' && likeAnId.test(leaf) && at.test(pointer) ? [leaf] : [],
  );
}
