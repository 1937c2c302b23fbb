import type { PassiveCheck } from '../../harness/checks/check.ts';
import { everyAnswer } from '../../harness/checks/every-answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

export const check: PassiveCheck = everyAnswer({
  requirement: 'HYGIENE-2',
  title: 'no response to a call with a key contains a key',
  applies: ({ auth }) => auth === 'api-key',
  statement: 'A response contains a key',
  expected: 'no key in the response',
  look: ({ request, response }) => {
    if (response === undefined || request.credential.kind === 'none') return undefined;
    const [place] = placeholdersOf(request).flatMap((placeholder) => {
      if (holds(response.body.text, placeholder)) return ['in the body'];
      const header = response.headers.find(([, value]) => holds(value, placeholder));
      return header === undefined ? [] : [`in the header ${header[0]}`];
    });
    if (place === undefined) return 'holds';
    return `${request.credential.kind === 'invalid' ? 'the refused key' : 'a good key'} ${place}`;
  },
});

/**
 * The placeholders that stand for keys in recorded responses: good keys always, invalid ones only where they were sent. A
 * key that the request contains elsewhere too, such as the name of a shop, may come back for that reason.
 */
function placeholdersOf({ credential, path, body }: Exchange['request']): readonly string[] {
  const descriptions = new Set(['scoped key', 'unscoped key', credential.description]);
  return [...descriptions]
    .map((description) => `<${description}>`)
    .filter((placeholder) => !path.includes(placeholder) && body?.text.includes(placeholder) !== true);
}

/** Whether the text contains the whole placeholder: a short key may be part of an unrelated word. */
function holds(text: string, placeholder: string): boolean {
  for (let at = text.indexOf(placeholder); at >= 0; at = text.indexOf(placeholder, at + 1)) {
    const before = text.slice(Math.max(0, at - 1), at);
    const after = text.slice(at + placeholder.length, at + placeholder.length + 1);
    if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}
