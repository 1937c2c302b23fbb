import type { PassiveCheck } from '../../harness/checks/check.ts';
import { errorTexts, isEchoed } from '../../harness/checks/error-text.ts';
import { everyAnswer } from '../../harness/checks/every-answer.ts';
import { noErrorSeen } from '../../harness/checks/no-error-seen.ts';
import { findStackTrace } from './stack-traces.ts';

export const check: PassiveCheck = everyAnswer({
  requirement: 'HYGIENE-1',
  title: 'no error body contains a stack trace',
  notApplicableReason: noErrorSeen,
  statement: 'An error body contains a stack trace',
  expected: 'a message for the client',
  look: (exchange) => {
    const texts = errorTexts(exchange);
    const trace = texts
      ?.map(findStackTrace)
      .find((found) => found !== undefined && !isEchoed(found.piece, exchange));
    return trace === undefined ? texts && 'holds' : `a stack trace of ${trace.language}`;
  },
});
