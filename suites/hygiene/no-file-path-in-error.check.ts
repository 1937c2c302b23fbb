import type { PassiveCheck } from '../../harness/checks/check.ts';
import { errorTexts, isEchoed } from '../../harness/checks/error-text.ts';
import { noErrorSeen } from '../../harness/checks/no-error-seen.ts';
import { serverPathsIn } from './server-paths.ts';

export const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'HYGIENE-3',
  title: 'no error body contains a path of the server’s file system',
  applies: () => true,
  notApplicableReason: noErrorSeen,
  evaluate: (exchange) => {
    const texts = errorTexts(exchange);
    if (texts === undefined) return undefined;
    const path = texts.flatMap(serverPathsIn).find((piece) => !isEchoed(piece, exchange));
    if (path === undefined) return 'holds';
    return {
      statement: 'An error body contains a path of the file system',
      expected: 'a message for the client',
      actual: path.includes('\\') ? 'a Windows path' : 'a Unix path',
      exchange,
    };
  },
};
