import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { shapedAnswer, topLevel } from '../../harness/checks/error-shape.ts';
import { isOk, mayBeAnotherRoute } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

export const check: CollectiveCheck = comparedAnswers({
  requirement: 'SUCCESS-4',
  title: 'a 200 response does not have the shape of the error bodies',
  applies: () => true,
  dedupeKey: (exchange) => {
    const shape = shapeOf(exchange);
    return shape && `${isOk(exchange) ? '' : 'error of '}${exchange.operation} ${shape}`;
  },
  look: (own, { operation: { id }, exchanges }) => {
    const mine = own.filter((one) => isOk(one) && shapeOf(one));
    const others = exchanges.filter((one) => one.operation !== id);
    // An error that only this operation writes may carry its result, and not the other way round.
    const errors = others.filter((one) => !isOk(one) && shapeOf(one));
    if (mine.length === 0) return 'no 200 with a JSON object was seen';
    if (errors.length === 0) return 'no error body of another operation was seen to compare with';
    const operationsOf = (some: readonly Exchange[]): number =>
      new Set(some.map(({ operation }) => operation)).size;
    const failures = mine.filter((one) => {
      const alike = operationsOf(errors.filter((other) => shapeOf(other) === shapeOf(one)));
      const results = operationsOf(others.filter((other) => isOk(other) && namesIn(other) === namesIn(one)));
      // Members that the results of as many operations have are an envelope for results and errors alike.
      return alike > results;
    });
    return failures.map((exchange) => ({
      exchange,
      actual: `200 with the members of the error bodies (${namesIn(exchange)})`,
    }));
  },
  statement: 'A 200 response carries an error body',
  expected: 'a result under 200, or an error under its own status',
  passes: 'no 200 has the shape of the error bodies',
});

/** Members and their types, two levels deep; undefined for an answer that is no object with members. */
function shapeOf(exchange: Exchange): string | undefined {
  const { members } = (!mayBeAnotherRoute(exchange) && shapedAnswer(exchange)) || {};
  return members && members.size > 0 ? JSON.stringify([...members]) : undefined;
}

function namesIn(exchange: Exchange): string {
  return topLevel(shapedAnswer(exchange)?.members ?? new Map()).join(', ');
}
