import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { isOk, statusOf } from '../../harness/evidence/answer.ts';
import { isSafe } from '../../spec/operation.ts';
import {
  callOf,
  contentsOf,
  differences,
  isRead,
  isWhole,
  mayChoose,
  mayHaveLost,
  type Others,
} from './differences.ts';

export const check: CollectiveCheck = comparedAnswers({
  requirement: 'SUCCESS-4',
  title: 'a 200 response contains nothing that other responses to the same call show to be wrong',
  applies: (operation) => isSafe(operation) && operation.takesIssued === undefined,
  dedupeKey: (exchange) => {
    const { members, texts, ids, entries } = contentsOf(exchange);
    if ((statusOf(exchange) ?? 0) >= 400)
      return members.size > 0 ? `error of ${exchange.operation} ${JSON.stringify([...members])}` : undefined;
    if (!isRead(exchange)) return undefined;
    const marks = [
      entries.size,
      mayChoose(exchange),
      [...texts].some(mayHaveLost),
      [...entries.values()].some((count) => count > 1),
    ];
    return JSON.stringify([callOf(exchange), isWhole(exchange), [...members], [...ids].slice(0, 3), marks]);
  },
  look: (own, { exchanges }) => {
    const reads = own.filter(isRead);
    if (reads.length === 0) return 'no 200 to a read was seen';
    const others: Others = {
      errors: exchanges.filter((one) => !isOk(one)),
      results: exchanges.filter((one) => isOk(one) && isWhole(one)),
    };
    return differences.flatMap(({ shown, isOfAnyQuery = false, ...told }) => {
      const fitting = reads.filter((one) => isOfAnyQuery || isWhole(one));
      return fitting.flatMap((exchange) => {
        const same = fitting.filter((other) => callOf(other) === callOf(exchange));
        const what = same.map((other) => shown(exchange, other, others)).find((each) => each !== undefined);
        return what === undefined ? [] : [{ ...told, actual: `200 with ${what}`, exchange }];
      });
    });
  },
  statement: 'A 200 response contains something that does not belong in it',
  expected: 'the content of other responses to the same call',
  passes: 'no 200 response contains anything that other responses to the same call show to be wrong',
});
