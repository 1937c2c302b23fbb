import { expect, test } from 'vitest';
import { faultsByFile } from '../../fixtures/faults/all-faults.ts';
import { variantsByFile } from '../../fixtures/variants/all-variants.ts';
import { selectChanged } from './select-changed.ts';

const fault = (name: string, check: string) => ({
  name,
  breaks: { requirement: 'AUTH-1', check, operation: '*' as const },
});
const corpus = {
  faults: new Map([
    ['keys', [fault('any-key', 'auth/invalid-key'), fault('no-key', 'auth/no-key')]],
    ['bodies', [fault('bad-body', 'request/bad-body')]],
  ]),
  variants: new Map([
    ['access', [{ name: 'lenient' }]],
    ['order', [{ name: 'late' }]],
  ]),
};
const everything = ['any-key', 'no-key', 'bad-body', 'lenient', 'late'];

test.each([
  [['fixtures/faults/keys.faults.ts'], ['any-key', 'no-key']],
  [
    ['fixtures/variants/order.variants.ts', 'fixtures/faults/bodies.faults.ts'],
    ['late', 'bad-body'],
  ],
  [['suites/auth/no-key.check.ts'], ['no-key', 'lenient', 'late']],
  [['suites/auth/near-keys.ts'], ['any-key', 'no-key', 'lenient', 'late']],
  [['harness/http/framing.ts'], everything],
  [['fixtures/reference-service/shape.ts'], everything],
  [['suites/steps.ts'], everything],
  [['spec/openapi.yaml'], everything],
  [['package-lock.json'], everything],
  [
    [
      'harness/http/framing.test.ts',
      'suites/auth/no-key.examples.ts',
      'harness/read.md',
      'fixtures/hostile/a.ts',
    ],
    [],
  ],
  [['cli/main.ts', 'reporters/formats.ts', 'docs/proof.md', 'README.md', 'tools/bench/main.ts'], []],
])('%s', (changed, names) => {
  expect([...selectChanged(changed, corpus)]).toEqual(names);
});

test('a file of the corpus selects what it holds', () => {
  const selected = selectChanged(['fixtures/faults/scope.faults.ts'], {
    faults: faultsByFile,
    variants: variantsByFile,
  });
  expect([...selected]).toEqual(faultsByFile.get('scope')?.map(({ name }) => name));
  expect(selected.size).toBeGreaterThan(0);
});
