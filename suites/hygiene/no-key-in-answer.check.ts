import type { PassiveCheck } from '../../harness/checks/check.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'HYGIENE-2',
  title: 'no answer to a call with a key echoes a key',
  applies: ({ auth }) => auth === 'api-key',
  notApplicableReason: () => undefined,
  evaluate: (exchange) => {
    const { request, response } = exchange;
    if (response === undefined || request.credential.kind === 'none') return undefined;
    const found = placeholdersOf(request).flatMap((placeholder) => {
      if (holds(response.body.text, placeholder)) return ['in the body'];
      const header = response.headers.find(([, value]) => holds(value, placeholder));
      return header === undefined ? [] : [`in the header ${header[0]}`];
    });
    const [place] = found;
    if (place === undefined) return 'holds';
    return {
      statement: 'an answer does not echo a key',
      expected: 'no key in the answer',
      actual: `${request.credential.kind === 'invalid' ? 'the refused key' : 'a good key'} ${place}`,
      exchange,
    };
  },
};

export default check;

/**
 * What stands in recorded answers for keys: good ones are nobody's to show, near misses only where they were sent. What
 * the request holds elsewhere too, as where a key is a shop's name, may come back for that reason.
 */
function placeholdersOf({ credential, path, body }: Exchange['request']): readonly string[] {
  const descriptions = new Set(['scoped key', 'unscoped key', credential.description]);
  return [...descriptions]
    .map((description) => `<${description}>`)
    .filter((placeholder) => !path.includes(placeholder) && body?.text.includes(placeholder) !== true);
}

/** Whether it stands there as a whole: a short key may be part of many an innocent word. */
function holds(text: string, placeholder: string): boolean {
  for (let at = text.indexOf(placeholder); at >= 0; at = text.indexOf(placeholder, at + 1)) {
    const before = text.slice(Math.max(0, at - 1), at);
    const after = text.slice(at + placeholder.length, at + placeholder.length + 1);
    if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}
