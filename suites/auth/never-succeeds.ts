import type { PassiveCheck } from '../../harness/checks/check.ts';
import { isWrittenOtherwise, statusOf } from '../../harness/evidence/answer.ts';
import type { CredentialKind } from '../../harness/model/exchange.ts';

/** What sets one kind of credentials that must be refused apart from another. */
interface RefusedCredentials extends Pick<PassiveCheck, 'requirement' | 'title' | 'applies'> {
  readonly kind: CredentialKind;
  /** The check that sends such calls beside a control, and reports them itself. */
  readonly reportedBy: string;
  /** The headline for a call that was accepted. */
  readonly statement: string;
  readonly expected: '401' | '403';
}

/** Builds a check that no call with some credentials is answered with 200, whichever check sent it. */
export function neverSucceeds({
  kind,
  reportedBy,
  statement,
  expected,
  ...rest
}: RefusedCredentials): PassiveCheck {
  return {
    ...rest,
    kind: 'passive',
    notApplicableReason: () => 'no other check sent such a call',
    evaluate: (exchange) => {
      const { case: sender, request } = exchange;
      if (request.credential.kind !== kind || sender.check === reportedBy) return undefined;
      const status = statusOf(exchange);
      if (status === undefined || status === 429 || isWrittenOtherwise(exchange)) return undefined;
      return status === 200 ? { statement, expected, actual: '200', exchange } : 'holds';
    },
  };
}
