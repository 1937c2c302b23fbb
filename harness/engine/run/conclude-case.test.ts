import { expect, it } from 'vitest';
import type { ActiveCheck, Case } from '../../checks/check.ts';
import { type ExampleParts, exampleExchange, exampleOperation } from '../../checks/example-exchange.ts';
import { inconclusive } from '../../checks/outcomes.ts';
import type { Exchange } from '../../model/exchange.ts';
import { targetTooSlow } from '../../pacing/target-monitor.ts';
import { requirementFor } from '../../results/results-for-tests.ts';
import { type Attempt, concludeCase } from './conclude-case.ts';

const planned = {
  check: { id: 'login/once' },
  operation: exampleOperation(),
  requirement: requirementFor('must', 'LOGIN-2'),
} as Case<ActiveCheck>;

const request: ExampleParts['request'] = {
  body: { text: '{"state":"issued"}', encoding: 'utf-8', bytes: 18, truncated: false, json: 'object' },
};

const signs = { isWidespread: () => false } as unknown as Attempt['signs'];

function attemptOf(crash: Exchange, ...before: readonly Exchange[]): Attempt {
  const violation = { statement: 's', expected: '409', actual: '500', exchange: crash };
  return {
    evaluation: { outcome: 'violated', violations: [violation] },
    exchanges: [...before, crash],
    signs,
  };
}

it('shows the attempt that holds the whole sequence', () => {
  const crash = (): Exchange => exampleExchange({ status: 500, label: 'once more', request });
  const issue = exampleExchange({ status: 200, body: '{"state":"issued"}', role: 'setup' });
  const consume = exampleExchange({ status: 200, body: '{}', label: 'once', request });
  const [borrowed, whole, last] = [crash(), crash(), crash()];
  const made = [attemptOf(borrowed), attemptOf(whole, issue, consume), attemptOf(last, issue, consume)];
  const { findings } = concludeCase(planned, made, { baseUrl: 'http://x', strict: false });
  expect(findings).toMatchObject([{ seen: { times: 3, of: 3 } }]);
  expect(findings[0]?.exchange).toBe(whole);
  expect(findings[0]?.steps).toEqual([issue, consume, whole]);
});

it.each([420, 503])('leaves %i that comes and goes to the check of statuses', (status) => {
  const pass: Attempt = { evaluation: { outcome: 'pass', message: 'fine' }, exchanges: [], signs };
  const made = [attemptOf(exampleExchange({ status })), pass, pass];
  const target = { baseUrl: 'http://x', strict: false };
  expect(concludeCase(planned, made, target)).toMatchObject({ outcome: 'pass', findings: [] });
  const always = made.map(() => attemptOf(exampleExchange({ status })));
  expect(concludeCase(planned, always, target).findings).toHaveLength(1);
});

it('does not accuse a service of a late answer that the end of the run kept from a second try', () => {
  const late = attemptOf(exampleExchange({ failure: 'timeout' }));
  const over: Attempt = { evaluation: inconclusive(targetTooSlow), exchanges: [], signs };
  const target = { baseUrl: 'http://x', strict: false };
  expect(concludeCase(planned, [late, over], target)).toMatchObject({
    outcome: 'inconclusive',
    message: targetTooSlow,
    findings: [],
  });
  expect(concludeCase(planned, [late, late, over], target).findings).toHaveLength(1);
});
