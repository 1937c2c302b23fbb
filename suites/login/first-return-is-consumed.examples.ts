import { exampleBody, exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ id: 'consume', method: 'POST', role: 'consumes-login' });
const asked = exampleBody('{"merchant":"harbour-tea"}');

/** Seconds after the beginning. */
const at = (seconds: number): string =>
  new Date(Date.parse('2026-08-01T10:00:00Z') + seconds * 1_000).toISOString();

function initiated(state: string, seconds: number): Exchange {
  return exampleExchange({
    ...{ operation: 'initiate', status: 200, body: `{"state":"${state}","merchant":"harbour-tea"}` },
    ...{ startedAt: at(seconds), durationMs: 10, request: { method: 'POST', body: asked } },
  });
}

function returned(
  state: string,
  seconds: number,
  status: number,
  label = 'valid call',
  merchant = 'harbour-tea',
): Exchange {
  const body = exampleBody(`{"state":"${state}","merchant":"${merchant}"}`);
  return exampleExchange({
    ...{ operation: 'consume', status, credential: 'scoped', label, startedAt: at(seconds), durationMs: 10 },
    request: { method: 'POST', body },
  });
}

/** A login that is returned late, and another one that is initiated meanwhile. */
const late = [initiated('state-late', 0), initiated('state-other', 1), returned('state-late', 3, 200)];

/** A login whose return is not found. */
function lost(state: string, merchant?: string): readonly Exchange[] {
  const returns = [10.1, 12.2].map((seconds) => returned(state, seconds, 404, 'valid call', merchant));
  return [initiated(state, 10), ...returns];
}

/** A login whose return is refused, and again after so many seconds. */
function refused(state: string, after = 2, label?: string): readonly Exchange[] {
  const again = returned(state, 10.1 + after, 409, label);
  return [initiated(state, 10), returned(state, 10.1, 409), again];
}

export const examples: Examples = {
  operation,
  passes: {
    'every first return is accepted': late,
    'one that is refused': [...late, ...refused('state-one')],
    'made-up returns with one of the values that were issued': [
      ...late,
      ...lost('state-one', 'never-issued'),
      ...lost('state-two', 'made-up-too'),
    ],
    'those that may have come too early': [...late, ...refused('state-one', 1), ...refused('state-two', 1)],
    'those that another call sent, too': [
      ...late,
      ...refused('state-one', 2, 'another call'),
      ...refused('state-two', 2, 'another call'),
    ],
    'equal logins that share a state': [
      ...late,
      ...[...refused('state-one'), initiated('state-one', 9)],
      ...[...refused('state-two'), initiated('state-two', 9)],
    ],
    'a service that allows one login at a time': [
      ...[initiated('state-late', 0), returned('state-late', 3, 200)],
      ...[...refused('state-one'), ...refused('state-two')],
    ],
  },
  violates: {
    'two that are refused for good': [...late, ...refused('state-one'), ...refused('state-two')],
    'two that are not found': [...late, ...lost('state-one'), ...lost('state-two')],
    'two, of which one may have come too early': [
      ...late,
      ...refused('state-one'),
      ...refused('state-two', 1),
    ],
  },
  notApplicable: { 'no login was initiated': [returned('state-one', 0, 409)] },
};
