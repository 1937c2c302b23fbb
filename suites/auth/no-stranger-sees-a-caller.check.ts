import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { isOk, parseBody } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

/** Letters and digits that an id needs so that it cannot stand in an answer by chance. */
const shortestId = 12;

/** What a member is called that names a key or a session. */
const names = /(?:key|credential|client|session|checkout)(?:[_-]?id|[/]id)$/i;

// A cache, or a connection to a database, may hand an answer on to whoever comes next.
export const check: CollectiveCheck = comparedAnswers({
  requirement: 'AUTH-5',
  title: 'no public read without a key shows the id of a key or a session that this run has used',
  applies: ({ auth }) => auth === 'none',
  dedupeKey: (exchange) => {
    if (!isOk(exchange)) return undefined;
    const ids = idsIn(exchange);
    const { credential } = exchange.request;
    const path = pathOf(exchange);
    // What has no such id shows at a public read that it needs none.
    if (ids.length === 0) return credential.kind === 'none' ? `${exchange.operation} ${path}` : undefined;
    return `${exchange.operation} ${credential.kind} ${credential.kind === 'none' ? path : ''} ${ids.join(' ')}`;
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
        own.every((other) => pathOf(other) !== pathOf(one) || idsIn(other).includes(id));
      // A shop may show the id of its own key to everybody, each time.
      return idsIn(one).some((id) => known.has(id) && !sent.includes(id) && !isUsual(id));
    });
  },
  statement: 'A call without a key is shown the key or the session of another client',
  expected: 'what the read shows without that client',
  actual: '200 with the id of a key or a session of another client',
  fix: 'Look for what calls share: a cache that does not distinguish clients, or a variable or connection that keeps the answer or the caller of another call.',
  passes: 'no public read showed a key or a session to a call without a key',
});

/** The path of a call without its query. */
function pathOf({ request }: Exchange): string | undefined {
  return request.path.split('?')[0];
}

/** The ids of keys and sessions that a response shows. */
function idsIn({ response }: Exchange): readonly string[] {
  if (response === undefined || !/key|credential|client|session|checkout/i.test(response.body.text))
    return [];
  return [...leavesOf(parseBody(response.body))].flatMap(([pointer, leaf]) =>
    names.test(pointer) && typeof leaf === 'string' && leaf.length >= shortestId && /[a-z]/i.test(leaf)
      ? [leaf]
      : [],
  );
}
