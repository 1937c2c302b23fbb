import type { PassiveCheck } from '../../harness/checks/check.ts';
import { errorTexts, isEchoed } from '../../harness/checks/error-text.ts';
import { neverForcedToFail } from './never-forced-to-fail.ts';
import { findStackTrace } from './stack-traces.ts';

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'HYGIENE-1',
  title: 'no error body holds a stack trace',
  applies: () => true,
  notApplicableReason: neverForcedToFail,
  evaluate: (exchange) => {
    const texts = errorTexts(exchange);
    if (texts === undefined) return undefined;
    const trace = texts
      .map(findStackTrace)
      .find((found) => found !== undefined && !isEchoed(found.piece, exchange));
    if (trace === undefined) return 'holds';
    return {
      statement: 'an error body holds no stack trace',
      expected: 'a message for the client',
      actual: `a stack trace of ${trace.language}`,
      exchange,
    };
  },
};

export default check;
