import type { PassiveCheck } from '../../harness/checks/check.ts';
import { errorTexts, isEchoed } from '../../harness/checks/error-text.ts';
import { everyAnswer } from '../../harness/checks/every-answer.ts';
import { noErrorSeen } from '../../harness/checks/no-error-seen.ts';
import { serverPathsIn } from './server-paths.ts';

export const check: PassiveCheck = everyAnswer({
  requirement: 'HYGIENE-3',
  title: 'no error body contains a path of the server’s file system',
  notApplicableReason: noErrorSeen,
  statement: 'An error body contains a path of the file system',
  expected: 'a message for the client',
  look: (exchange) => {
    const texts = errorTexts(exchange);
    const path = texts?.flatMap(serverPathsIn).find((piece) => !isEchoed(piece, exchange));
    if (path === undefined) return texts && 'holds';
    return path.includes('\\') ? 'a Windows path' : 'a Unix path';
  },
});
