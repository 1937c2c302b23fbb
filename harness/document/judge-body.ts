import type { Operation } from '../../spec/contract.ts';
import type { ExchangeJudgement } from '../checks/judgement.ts';
import { headerOf, isJsonMediaType, parseBody } from '../recording/answer.ts';
import type { Exchange } from '../recording/exchange.ts';
import { compileDocument } from './compile-document.ts';
import type { SuppliedDocument } from './supplied-document.ts';

/** What stands in recorded bodies in place of a secret, which may itself break a pattern or a length. */
const redaction = /<[^<>"\n]*(?:key|secret|header)[^<>"\n]*>/i;

/** What ought to hold of an answer's body. */
export interface BodyRule {
  readonly statement: string;
  readonly expected: string;
}

/**
 * Holds the body of an answer against the document's schema for it; says nothing where no schema is known, or where the
 * body is no JSON, which other checks judge.
 */
export function judgeBody(
  exchange: Exchange,
  operation: Operation,
  document: SuppliedDocument | undefined,
  rule: BodyRule,
): ExchangeJudgement {
  const { response, failure } = exchange;
  if (document === undefined || response === undefined || failure !== undefined) return undefined;
  const mediaType = headerOf(exchange, 'content-type');
  const body = isJsonMediaType(mediaType) ? parseBody(response.body) : undefined;
  if (body === undefined) return undefined;
  const validate = compileDocument(document).responseValidator(operation, response.status, mediaType);
  const verdict = validate?.(body);
  if (verdict === undefined) return undefined;
  if (verdict.ok) return 'holds';
  if (redaction.test(response.body.text)) return undefined;
  return { ...rule, actual: verdict.errors.join('; '), exchange };
}
