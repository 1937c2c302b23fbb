import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { describeAnswer, hasStatus, isOk, parseBody } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { shownKind } from '../../harness/results/causes/cause-fixes.ts';

/** Statuses that refuse the caller; a 400 may name the members of the request. */
const refusals = [401, 403, 404, 409, 429];

/** Members or values that a refusal does not have in common with a success by chance. */
const fewest = 3;
/** Values of a list of which so many are as telling as half of those of one resource. */
const many = 8;
/** Shorter texts and numbers may stand in any answer. */
const shortest = 5;
/** Characters of bodies by which refusals with more in them are told from others. */
const alike = 256;

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
      const size = Math.trunc((exchange.response?.body.text.length ?? 0) / alike);
      return `${exchange.operation} ${kind} ${size} ${[...namesIn(exchange)].sort().join(' ')}`;
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
      const said = usual.map(textOf).join('\n');
      const values = [...new Set(mine.filter(isOk).flatMap(valuesIn))].filter(
        (value) => !said.includes(value),
      );
      if (telling.length < fewest && values.length < fewest)
        return 'a 200 has too few members and values that errors lack';
      return refused.flatMap((exchange) => {
        const names = namesIn(exchange);
        const [text, sent] = [textOf(exchange), unescaped(JSON.stringify(exchange.request))];
        const shown = [
          telling.filter((name) => names.has(name)),
          values.filter((value) => text.includes(value) && !sent.includes(value)),
        ].find((some, at) => isTold(some.length, at === 0 ? telling.length : values.length));
        if (shown === undefined) return [];
        const actual = `${describeAnswer(exchange)} with ${shown.slice(0, fewest).join(', ')}, as a 200 has them`;
        return [{ exchange, expected: 'an error that holds nothing of a 200', actual }];
      });
    },
    statement: 'A refusal shows what a valid call gets',
    kind: shownKind,
    fix: 'Leave the handler once the call is refused: one that goes on writes its result under the status of the refusal (Express, Go: a missing `return`). Check also proxies that replace a status and keep the body, and error handlers that write out the object at hand.',
    passes: 'no refusal has the members or values of a 200',
  });
}

function isTold(shown: number, all: number): boolean {
  return shown >= fewest && (shown >= all / 2 || shown >= many);
}

/** The names of JSON members in a body, also in one that is a page or a text around them. */
function namesIn(exchange: Exchange): ReadonlySet<string> {
  const names = textOf(exchange).matchAll(/"([A-Za-z][\w-]{1,40})"\s*:/g);
  return new Set([...names].flatMap(([, name]) => name ?? []));
}

/** The texts and numbers in a body that no other answer has by chance. */
function valuesIn({ response }: Exchange): readonly string[] {
  const leaves = [...leavesOf(parseBody(response?.body)).values()];
  return leaves.flatMap((leaf) => {
    const value = typeof leaf === 'string' || typeof leaf === 'number' ? String(leaf) : '';
    return value.length < shortest ? [] : unescaped(value);
  });
}

/** The headers and the body of an answer, without what escapes of JSON and HTML do to their letters. */
function textOf({ response }: Exchange): string {
  const headers = response?.headers.map(([, value]) => value) ?? [];
  return unescaped([...headers, response?.body.text ?? ''].join('\n'));
}

function unescaped(text: string): string {
  return text
    .replace(/\\+u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replace(/\\+(["/\\])/g, '$1')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
