import { describe, expect, it } from 'vitest';
import { exampleExchange } from '../../checks/example-exchange.ts';
import { namedSteps, probe } from '../../checks/step.ts';
import type { Evaluation } from '../../model/evaluation.ts';
import type { Exchange } from '../../model/exchange.ts';
import { RidingEvidence } from './riding-evidence.ts';

const steps = namedSteps({ stranger: probe('call without a key', { expects: [401] }) });

const call = (status: number, ...neutral: readonly string[]): Exchange => ({
  ...exampleExchange({ status, step: 'stranger', body: '{"code":"unauthorized"}' }),
  ...(neutral.length > 0 && { neutral }),
});

const all = ['accept', 'dnt', 'via'];

describe('a violation', () => {
  const companyOf = (...exchanges: readonly [Exchange, ...Exchange[]]): string | undefined => {
    const violations = [{ statement: 's', expected: '401', actual: '500', exchange: exchanges[0] }] as const;
    const evaluation = new RidingEvidence(exchanges, steps).complete({ outcome: 'violated', violations });
    return evaluation.outcome === 'violated' ? evaluation.violations[0].company : undefined;
  };

  it('has the company that led to it', () => {
    expect(companyOf(call(500, 'dnt'), call(500, ...all), call(401))).toMatch(/^with dnt/);
  });

  it('has none where only all of it did', () => {
    expect(companyOf(call(500, ...all), call(401), call(401, 'dnt'))).toBeUndefined();
  });
});

it.each([
  [0, 'alone', []],
  [0, 'with less of it', [call(401, 'dnt'), call(401)]],
  [1, 'as it was', [call(401, ...all), call(500, ...all)]],
])('a call was repeated with a right answer %i times where it was sent again %s', (times, _how, others) => {
  const wrong = call(500, ...all);
  expect(new RidingEvidence([wrong, ...others], steps).rightRepetitions(wrong)).toBe(times);
});

describe('a check without a violation', () => {
  const pass: Evaluation = { outcome: 'pass', message: 'fine' };
  const completed = (...exchanges: readonly Exchange[]): Evaluation =>
    new RidingEvidence(exchanges, steps).complete(pass);

  it('has one where the status depends on what rode along', () => {
    expect(completed(call(200, ...all), call(401), call(200, 'dnt'))).toMatchObject({
      outcome: 'violated',
      violations: [{ expected: expect.stringContaining('401'), actual: expect.stringContaining('200') }],
    });
  });

  it.each([
    ['came once', [call(200, ...all), call(401), call(401, 'dnt')]],
    ['is the same without it', [call(200, ...all), call(200), call(200, 'dnt')]],
    [
      'may be a refusal of what rode along',
      [call(400, ...all, 'content-type'), call(401), call(400, 'dnt', 'content-type')],
    ],
    ['is an expected one', [call(401, ...all), call(401), call(401, 'dnt')]],
  ])('has none where the status %s', (_case, exchanges) => {
    expect(completed(...exchanges)).toBe(pass);
  });
});
