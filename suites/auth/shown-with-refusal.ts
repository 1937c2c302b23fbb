import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { describeAnswer, hasStatus, isOk } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { shownKind } from '../../harness/results/causes/cause-fixes.ts';

/** Statuses that refuse the caller; a 400 may name the members of the request. */
const refusals = [401, 403, 404, 409, 429];

/** Members that a refusal does not have in common with a success by chance. */
const fewest = 3;

interface Refused extends Pick<CollectiveCheck, 'requirement' | 'title' | 'applies'> {
  readonly keys: ReadonlyArray<Exchange['request']['credential']['kind']>;
}

/** Builds a check that no refusal has the members of the success that it refuses. */
export function shownWithRefusal({ keys, ...rest }: Refused): CollectiveCheck {
  const isRefusal = (one: Exchange): boolean =>
    keys.includes(one.request.credential.kind) && hasStatus(one, ...refusals);
  return comparedAnswers({
    ...rest,
    dedupeKey: (exchange) => {
      const kind = isOk(exchange) ? 'success' : isRefusal(exchange) ? 'refusal' : 'error';
      return `${exchange.operation} ${kind} ${[...namesIn(exchange)].sort().join(' ')}`;
    },
    look: (mine, { exchanges, applicable }) => {
      // The errors of public reads and of good keys show what every error shows.
      const usual = exchanges.filter(
        (one) => !isOk(one) && !(isRefusal(one) && applicable?.has(one.operation) !== false),
      );
      const refused = mine.filter(isRefusal);
      if (usual.length === 0 || refused.length === 0) return 'no refusals were seen beside other errors';
      const ofErrors = new Set(usual.flatMap((one) => [...namesIn(one)]));
      const own = new Set(mine.filter(isOk).flatMap((one) => [...namesIn(one)]));
      const telling = [...own].filter((name) => !ofErrors.has(name));
      if (telling.length < fewest) return 'a 200 has too few members that errors lack';
      return refused.flatMap((exchange) => {
        const names = namesIn(exchange);
        const shown = telling.filter((name) => names.has(name));
        if (shown.length < fewest || shown.length < telling.length / 2) return [];
        const actual = `${describeAnswer(exchange)} with ${shown.slice(0, fewest).join(', ')}, as a 200 has them`;
        return [{ exchange, expected: 'an error that holds nothing of a 200', actual }];
      });
    },
    statement: 'A refusal shows what a valid call gets',
    kind: shownKind,
    fix: 'Leave the handler once the call is refused: one that goes on writes its result under the status of the refusal (Express, Go: a missing `return`). Check also proxies that replace a status and keep the body, and error handlers that write out the object at hand.',
    passes: 'no refusal has the members of a 200',
  });
}

/** The names of JSON members in a body, also in one that is a page around them. */
function namesIn({ response }: Exchange): ReadonlySet<string> {
  const names = response?.body.text.matchAll(/"([A-Za-z][\w-]{1,40})"\s*:/g) ?? [];
  return new Set([...names].flatMap(([, name]) => name ?? []));
}
