import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { membersOf, topLevel } from '../../harness/checks/error-shape.ts';
import { mayBeAnotherRoute, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

export const check: CollectiveCheck = comparedAnswers({
  requirement: 'SUCCESS-4',
  title: 'a 200 response does not have the shape of the error bodies',
  applies: () => true,
  dedupeKey: (exchange) => {
    const sample = sampleOf(exchange);
    return sample && `${sample.isError ? 'error of ' : ''}${exchange.operation} ${sample.shape}`;
  },
  look: (_mine, { operation, exchanges }) => {
    const samples = exchanges.map(sampleOf).filter((sample) => sample !== undefined);
    // An error that only this operation writes may carry its result, and not the other way round.
    const errors = new Set(
      samples
        .filter(({ isError, exchange }) => isError && exchange.operation !== operation.id)
        .map(({ shape }) => shape),
    );
    const successes = samples.filter(({ isError }) => !isError);
    const mine = successes.filter(({ exchange }) => exchange.operation === operation.id);
    if (mine.length === 0) return 'no 200 with a JSON object was seen';
    if (errors.size === 0) return 'no error body of another operation was seen to compare with';
    // What another 200 has the members of is an envelope for results and errors alike.
    const envelopes = new Set(
      successes.filter(({ exchange }) => exchange.operation !== operation.id).map(({ names }) => names),
    );
    const failures = mine.filter(({ shape, names }) => errors.has(shape) && !envelopes.has(names));
    return failures.map(({ exchange, names }) => ({
      statement: 'A 200 response carries an error body',
      expected: 'a result under 200, or an error under its own status',
      actual: `200 with the members of the error bodies (${names})`,
      exchange,
    }));
  },
  passes: 'no 200 has the shape of the error bodies',
});

interface Sample {
  readonly exchange: Exchange;
  readonly isError: boolean;
  /** Names of the top-level members. */
  readonly names: string;
  /** Members and their types, two levels deep. */
  readonly shape: string;
}

function sampleOf(exchange: Exchange): Sample | undefined {
  const status = statusOf(exchange);
  const body = exchange.response?.body;
  if (status === undefined || (status !== 200 && status < 400) || mayBeAnotherRoute(exchange))
    return undefined;
  if (body?.json !== 'object' || body.truncated) return undefined;
  const members = membersOf(body);
  if (members.size === 0) return undefined;
  const names = topLevel(members).join(', ');
  return { exchange, isError: status !== 200, names, shape: JSON.stringify([...members]) };
}
