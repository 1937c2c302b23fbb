import { inconclusive } from '../../harness/checks/outcomes.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

/** Whether a key of this kind passed authentication in any call. */
export function isAccepted(kind: string, exchanges: readonly Exchange[]): boolean {
  return exchanges.some(
    ({ request, response }) =>
      request.credential.kind === kind && (response?.status === 200 || response?.status === 403),
  );
}

/** The evaluation where a key is refused everywhere. */
export function mayBeInvalid({ request }: Exchange): ReturnType<typeof inconclusive> {
  const { kind, description } = request.credential;
  return inconclusive(
    `the ${description} is accepted nowhere, so it may be invalid`,
    `keys: { ${kind}: <a key that the target accepts> }, or authorization: <how a key is written in the header, such as 'Bearer {key}'>`,
  );
}
