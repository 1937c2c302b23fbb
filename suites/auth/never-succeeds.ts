import type { PassiveCheck } from '../../harness/checks/check.ts';
import { everyAnswer } from '../../harness/checks/every-answer.ts';
import { isWrittenOtherwise, statusOf } from '../../harness/evidence/answer.ts';
import type { CredentialKind } from '../../harness/model/exchange.ts';

/** Calls that must be refused for their credential. */
interface RefusedCalls {
  readonly requirement: string;
  readonly calls: string;
  readonly expected: '401' | '403';
  /** The check that sends such calls beside a control, and reports them itself. */
  readonly reportedBy: string;
}

const byCredential: Readonly<Record<Exclude<CredentialKind, 'scoped'>, RefusedCalls>> = {
  none: {
    requirement: 'AUTH-2',
    calls: 'call without credentials',
    expected: '401',
    reportedBy: 'auth/missing-credentials-are-refused',
  },
  invalid: {
    requirement: 'AUTH-3',
    calls: 'call with an invalid key',
    expected: '401',
    reportedBy: 'auth/invalid-key-is-refused',
  },
  unscoped: {
    requirement: 'SCOPE-1',
    calls: 'call with a key without the scope',
    expected: '403',
    reportedBy: 'scope/missing-scope-is-forbidden',
  },
};

/** Builds a check that no call with some credentials is answered with 200, whichever check sent it. */
export function neverSucceeds(kind: keyof typeof byCredential): PassiveCheck {
  const { requirement, calls, expected, reportedBy } = byCredential[kind];
  return everyAnswer({
    requirement,
    title: `no ${calls} is answered with 200, whichever check sent it`,
    applies: ({ auth, scope }) => auth === 'api-key' && (kind !== 'unscoped' || scope !== undefined),
    notApplicableReason: () => 'no other check sent such a call',
    statement: `A ${calls} was accepted`,
    expected,
    look: (exchange) => {
      const { case: sender, request } = exchange;
      if (request.credential.kind !== kind || sender.check === reportedBy) return undefined;
      const status = statusOf(exchange);
      if (status === undefined || status === 429 || isWrittenOtherwise(exchange)) return undefined;
      return status === 200 ? '200' : 'holds';
    },
  });
}
