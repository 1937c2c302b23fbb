import type { PassiveCheck } from '../../harness/checks/check.ts';
import { errorTexts, isEchoed } from '../../harness/checks/error-text.ts';
import { noErrorSeen } from '../../harness/checks/no-error-seen.ts';
import { findStackTrace } from './stack-traces.ts';

export const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'HYGIENE-1',
  title: 'no error body contains a stack trace',
  applies: () => true,
  notApplicableReason: noErrorSeen,
  evaluate: (exchange) => {
    const texts = errorTexts(exchange);
    if (texts === undefined) return undefined;
    const trace = texts
      .map(findStackTrace)
      .find((found) => found !== undefined && !isEchoed(found.piece, exchange));
    if (trace === undefined) return 'holds';
    return {
      statement: 'An error body contains a stack trace',
      expected: 'a message for the client',
      actual: `a stack trace of ${trace.language}`,
      exchange,
    };
  },
};
