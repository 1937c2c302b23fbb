import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { endOf, isOk, isWrittenOtherwise, startOf, statusOf } from '../../harness/evidence/answer.ts';
import { grantedKind } from '../../harness/results/causes/cause-fixes.ts';

// An acceptance is a violation by itself, which other checks report: this one says what led to it.
export const check: CollectiveCheck = comparedAnswers({
  requirement: 'SCOPE-1',
  title: 'no call gives the scope to a key that was refused for lacking it',
  applies: ({ scope }) => scope !== undefined,
  dedupeKey: (exchange) => {
    const status = statusOf(exchange);
    const isDecided = (status === 200 || status === 403) && !isWrittenOtherwise(exchange);
    return exchange.request.credential.kind === 'unscoped' && isDecided
      ? `${exchange.operation} ${status}`
      : undefined;
  },
  look: (mine, { operation, exchanges, applicable }) => {
    if (mine.length === 0) return 'no call with a key without the scope was answered 200 or 403';
    const inOrder = [...exchanges].sort((a, b) => startOf(a) - startOf(b));
    const own = inOrder.filter((one) => one.operation === operation.id);
    const accepted = own.find(isOk);
    const refusals = inOrder.filter((one) => statusOf(one) === 403);
    if (accepted === undefined) return [];
    const before = refusals.findLast((one) => endOf(one) <= startOf(accepted));
    const turned = inOrder.filter(
      (one) =>
        isOk(one) &&
        refusals.some((refused) => refused.operation === one.operation && endOf(refused) <= startOf(one)),
    );
    // An operation that was refused tells nothing of another, which may not ask for the scope at all.
    const isTurned = turned.some(
      (one) => one.operation === before?.operation && startOf(one) >= startOf(accepted),
    );
    if (before === undefined || !isTurned || refusals.some((one) => startOf(one) > startOf(accepted)))
      return 'the key was not first refused and then accepted from a certain call on';
    const end = Math.min(...[accepted, ...turned].map(startOf));
    const [suspect, ...others] = inOrder.filter(
      (one, at) =>
        isOk(one) &&
        endOf(one) >= startOf(before) &&
        startOf(one) < end &&
        inOrder.findIndex((other) => other.operation === one.operation && isOk(other)) === at,
    );
    // A later call that needs the scope itself was accepted for it.
    if (suspect === undefined || others.some((one) => applicable?.has(one.operation) !== true))
      return 'no single call lies between the last refusal and the first acceptance';
    const company = `after a call of ${suspect.operation} with the same key`;
    return [{ company, exchange: accepted }];
  },
  statement: 'A key without the scope gained it through another call',
  expected: '403, as before that call',
  actual: '200',
  kind: grantedKind,
  passes: 'no call with a key without the scope was answered 200',
});
