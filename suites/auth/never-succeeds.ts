import type { PassiveCheck } from '../../harness/checks/check.ts';
import { everyAnswer } from '../../harness/checks/every-answer.ts';
import { describeAnswer, isWrittenOtherwise, statusOf } from '../../harness/evidence/answer.ts';
import type { CredentialKind } from '../../harness/model/exchange.ts';

/** Calls that must be refused for their credential, and the check that sends them with a control and reports them itself. */
type RefusedCalls = readonly [
  requirement: string,
  calls: string,
  expected: '401' | '403',
  reportedBy: string,
];

const byCredential: Readonly<Record<Exclude<CredentialKind, 'scoped'>, RefusedCalls>> = {
  none: ['AUTH-2', 'call without credentials', '401', 'auth/missing-credentials-are-refused'],
  invalid: ['AUTH-3', 'call with an invalid key', '401', 'auth/invalid-key-is-refused'],
  unscoped: ['SCOPE-1', 'call with a key without the scope', '403', 'scope/missing-scope-is-forbidden'],
};

/** Builds a check that no call with certain credentials is answered with 200, regardless of the check that sent it. */
export function neverSucceeds(kind: keyof typeof byCredential): PassiveCheck {
  const [requirement, calls, expected, reportedBy] = byCredential[kind];
  return everyAnswer({
    requirement,
    title: `no ${calls} is answered with 200, regardless of the check that sent it`,
    applies: ({ auth, scope }) => auth === 'api-key' && (kind !== 'unscoped' || scope !== undefined),
    notApplicableReason: () => 'no other check sent such a call',
    statement: `A ${calls} was accepted`,
    expected,
    look: (exchange) => {
      const { case: sender, request } = exchange;
      if (request.credential.kind !== kind || sender.check === reportedBy) return undefined;
      const status = statusOf(exchange);
      // The head of a success says that the call was accepted, whatever becomes of its body.
      if (status === undefined && exchange.response?.status === 200) return describeAnswer(exchange);
      if (status === undefined || status === 429 || isWrittenOtherwise(exchange)) return undefined;
      return status === 200 ? '200' : 'holds';
    },
  });
}
