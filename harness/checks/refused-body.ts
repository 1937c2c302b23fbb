import { parseBody, statusOf } from '../evidence/answer.ts';
import { type Leaf, leavesOf } from '../evidence/json-leaves.ts';
import type { Evaluation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import { saidOf } from './error-text.ts';
import { inconclusive } from './outcomes.ts';

/** Characters of the service's words that a reason quotes. */
const longest = 160;

/**
 * Why nothing could be tested with the valid call of an operation, and the line of the target file to correct, where the
 * service refused a body of that; undefined where none was sent, or one like it was accepted. A 409 to a call that names a
 * resource in its path is about the state of that.
 */
export function refusedBodyIn(
  exchanges: readonly Exchange[],
): { readonly reason: string; readonly remedy: string } | undefined {
  const calls = exchanges.filter(
    ({ role, request }) => (role === 'control' || role === 'setup') && request.body !== undefined,
  );
  const refused = calls.find(
    (one) =>
      (statusOf(one) === 400 || (statusOf(one) === 409 && Object.keys(one.request.values).length === 0)) &&
      !calls.some((other) => other.operation === one.operation && statusOf(other) === 200),
  );
  if (refused === undefined) return undefined;
  const { operation } = refused;
  const status = statusOf(refused);
  const refusal = `with ${status}${wordsOf(refused)}`;
  const areApart = calls.some(
    (one) => one.operation === operation && one.request.body?.text !== refused.request.body?.text,
  );
  const body = status === 409 && !areApart ? '{ …, <a field that tells calls apart>: "{unique}" }' : '{ … }';
  return {
    reason: `the service refused your body of ${operation} ${refusal}`,
    remedy: `bodies: { ${operation}: ${body} } # in place of the body that the service refused ${refusal}${issuedText(exchanges, refused)}`,
  };
}

/** Why a refused call need not have been valid: for its key or its body; undefined where neither explains the refusal. */
export function refusedForKeyOrBody(exchange: Exchange, isOfBody: boolean): Evaluation | undefined {
  const status = statusOf(exchange);
  if (status === 401 || status === 403)
    return inconclusive(`the call was refused with ${status}, which the checks of keys and scopes test`);
  const refused = isOfBody ? refusedBodyIn([exchange]) : undefined;
  return refused && inconclusive(refused.reason, refused.remedy);
}

/** Advice if the service refuses a value that another call has just issued. */
function issuedText(exchanges: readonly Exchange[], { operation, request }: Exchange): string {
  const isNamed = (leaf: Leaf): boolean =>
    typeof leaf === 'string' &&
    leaf.length >= 8 &&
    request.body?.text.includes(JSON.stringify(leaf)) === true;
  const issuer = exchanges.find(
    (one) =>
      one.operation !== operation && [...leavesOf(parseBody(one.response?.body)).values()].some(isNamed),
  );
  return issuer === undefined
    ? ''
    : `. If the refusal is about what ${issuer.operation} has just issued, fix the service: look at how it computes the expiry (time zone, unit) and where it stores the value`;
}

/** The sentences of an error, after a colon, without ids and codes, which may differ between responses. */
function wordsOf(exchange: Exchange): string {
  const sentences = saidOf(exchange).filter((text) => /\S\s\S/.test(text));
  const words = sentences.join(' · ').replaceAll(/\s+/g, ' ').trim();
  return words && `: ${JSON.stringify(words.length > longest ? `${words.slice(0, longest)}…` : words)}`;
}
