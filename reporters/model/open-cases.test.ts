import { expect, test } from 'vitest';
import { openCase } from '../testing/sample-cases-for-tests.ts';
import { sampleReport } from '../testing/sample-reports-for-tests.ts';
import { openCasesOf, reasonOf } from './open-cases.ts';

const passive = openCase('getPublicProduct', 'success/success-is-200', 'no matching response was observed');
const sent = { ...passive, exchanges: ['x1'] };

test('a case that only reads responses needs what the other cases of its operation need', () => {
  const lacking = openCase('getPublicProduct', 'a/b', 'no slug is known', 'parameters: { … }');
  const elsewhere = { ...passive, operation: 'getPublicBootstrap' };
  expect(openCasesOf(sampleReport([passive, lacking, sent, elsewhere]))).toEqual([
    { remedy: { kind: 'target-file', text: 'parameters: { … }' }, cases: [passive, lacking] },
    { remedy: { kind: 'none', text: passive.message }, cases: [sent, elsewhere] },
  ]);
});

test('chosen checks that send no call name those that do', () => {
  const { run } = sampleReport([]);
  const choosing = (...check: readonly string[]): string[] =>
    openCasesOf(sampleReport([passive], { run: { ...run, options: { check } } })).map(
      ({ remedy }) => remedy.text,
    );
  expect(choosing('success/*')[0]).toContain(
    "--check 'success/*' 'surface/*' 'auth/*' 'resource/*' 'request/*'",
  );
  expect(choosing('surface/*', 'auth/*', 'resource/*', 'request/*')).toEqual([passive.message]);
});

test('a target that throttles needs the rate at which it served the run', () => {
  const { run, traffic } = sampleReport([]);
  const throttled = openCase('a', 'rate/b', 'throttled', '--rate <fewer requests per second>');
  const report = sampleReport([throttled], {
    run: { ...run, durationMs: 10_000 },
    traffic: { ...traffic, requests: 890, throttled: 25 },
  });
  expect(openCasesOf(report).map(({ remedy }) => remedy.text)).toEqual(['--rate 86']);
});

test('a reason begins with a capital', () => {
  expect(reasonOf([passive])).toBe('No matching response was observed');
});
