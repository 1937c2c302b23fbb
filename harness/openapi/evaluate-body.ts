import type { Operation } from '../../spec/contract.ts';
import { headerOf, isJsonMediaType, parseBody } from '../evidence/answer.ts';
import { leavesOf } from '../evidence/json-leaves.ts';
import type { ExchangeEvaluation, Violation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import { compileDocument } from './compile-document.ts';

/** The redaction mark in recorded bodies, which may itself break a pattern or a length. */
const redaction = /<[^<>"\n]*(?:key|secret|header)[^<>"\n]*>/i;

/** Characters that formats and patterns of responses seldom allow. */
const unusualLetters = /[^\x21-\x7e]/;

/** Whether a response repeats an unusual text of its accepted request, which may break a format. */
function repeatsUnusualTexts({ request, role }: Exchange, answer: unknown): boolean {
  // It cancels a session that was created with any text.
  if (role === 'cleanup') return true;
  const sent = [...leavesOf(parseBody(request.body)).values()].filter(
    (leaf) => typeof leaf === 'string' && unusualLetters.test(leaf),
  );
  if (sent.length === 0 || role === 'control') return false;
  const answered = new Set(leavesOf(answer).values());
  return sent.some((leaf) => answered.has(leaf));
}

/** The reason for an inconclusive case without a supplied document. */
export const noDocument = 'no document was supplied';

/** Validates the body of a response against its schema; undefined if none is known, or it is not JSON. */
export function evaluateBody(
  exchange: Exchange,
  operation: Operation,
  document: SuppliedDocument | undefined,
  rule: Pick<Violation, 'statement' | 'expected'>,
): ExchangeEvaluation {
  const { response, failure } = exchange;
  if (document === undefined || response === undefined || failure !== undefined) return undefined;
  const mediaType = headerOf(exchange, 'content-type');
  const body = isJsonMediaType(mediaType) ? parseBody(response.body) : undefined;
  if (body === undefined) return undefined;
  const validate = compileDocument(document).responseValidator(operation, response.status, mediaType);
  const verdict = validate?.(body);
  if (verdict === undefined) return undefined;
  if (verdict.ok) return verdict.unfinished ? undefined : 'holds';
  // What a shortened body lacks may be what the schema asks for.
  if (response.body.truncated || redaction.test(response.body.text) || repeatsUnusualTexts(exchange, body))
    return undefined;
  // The places alone: the words may differ from response to response.
  const kind = verdict.errors.map((error) => error.split(' ', 1)[0]).join(' ');
  return { ...rule, actual: verdict.errors.join('; '), kind, exchange };
}
