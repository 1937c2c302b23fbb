import { describe, expect, it } from 'vitest';
import type { Exchange } from '../model/exchange.ts';
import { exampleExchange } from './example-exchange.ts';
import { evaluateRefusals } from './refusal.ts';

const control = (status?: number): Exchange =>
  exampleExchange({
    role: 'control',
    ...(status === undefined ? { failure: 'timeout' as const } : { status }),
  });
const probe = (status?: number): Exchange =>
  exampleExchange({ role: 'probe', ...(status === undefined ? { failure: 'reset' as const } : { status }) });
const page = exampleExchange({
  role: 'probe',
  status: 403,
  contentType: 'text/html',
  body: '<html><body>Forbidden</body></html>',
});

const rows: ReadonlyArray<
  readonly [name: string, exchanges: readonly Exchange[], outcome: 'pass' | 'violated' | 'inconclusive']
> = [
  ['nothing', [], 'inconclusive'],
  ['a control alone', [control(200)], 'inconclusive'],
  ['refused, control let in', [control(200), probe(401)], 'pass'],
  ['refused, control in conflict', [control(409), probe(401)], 'pass'],
  ['let in, control let in', [control(200), probe(200)], 'violated'],
  ['let in, control refused', [control(401), probe(200)], 'violated'],
  ['let in, no control', [probe(200)], 'violated'],
  ['refused otherwise, control let in', [control(200), probe(403)], 'violated'],
  ['refused otherwise, no control', [probe(403)], 'inconclusive'],
  ['refused otherwise, control as well', [control(404), probe(404)], 'inconclusive'],
  ['refused, no control', [probe(401)], 'inconclusive'],
  ['refused, control refused', [control(401), probe(401)], 'inconclusive'],
  ['refused, control unanswered', [control(), probe(401)], 'inconclusive'],
  ['not answered, control let in', [control(200), probe()], 'violated'],
  ['not answered, no control', [probe()], 'inconclusive'],
  ['one of many let in', [control(200), probe(401), probe(200), probe(401)], 'violated'],
  ['blocked by a firewall once', [control(200), probe(401), page], 'inconclusive'],
  ['answered with a page each time', [control(200), page, page], 'violated'],
  ['blocked once and let in once', [control(200), probe(401), page, probe(200)], 'violated'],
  ['let in by the second control only', [control(503), control(200), probe(401)], 'pass'],
];

const probesIn = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter(({ role }) => role === 'probe');
const controlsIn = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter(({ role }) => role === 'control');

describe('evaluateRefusals', () => {
  it.each(rows)('%s', (_name, exchanges, outcome) => {
    const evaluation = evaluateRefusals(probesIn(exchanges), controlsIn(exchanges), {
      status: 401,
      subject: () => 'a call',
    });
    expect(evaluation.outcome).toBe(outcome);
  });

  it('shows each probe that was not refused, and what it was answered', () => {
    const exchanges = [control(200), probe(200), probe(401), probe()];
    expect(
      evaluateRefusals(probesIn(exchanges), controlsIn(exchanges), {
        status: 401,
        subject: ({ role }) => `the ${role}`,
      }),
    ).toEqual({
      outcome: 'violated',
      violations: [
        { statement: 'the probe was accepted', expected: '401', actual: '200', exchange: exchanges[1] },
        {
          statement: 'the probe was not refused with 401',
          expected: '401',
          actual: 'no answer (reset)',
          exchange: exchanges[3],
        },
      ],
    });
  });
});
