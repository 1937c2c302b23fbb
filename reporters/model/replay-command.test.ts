import { expect, it } from 'vitest';
import { findingFor } from '../../harness/results/results-for-tests.ts';
import { allGreen } from '../testing/sample-reports-for-tests.ts';
import { reproductionLine } from './replay-command.ts';

it.each([
  ['takes others under way', { company: 'with 5 calls under way' }],
  ['comes and goes', { seen: { times: 2, of: 3 } }],
])('what %s is replayed', (_what, parts) => {
  expect(reproductionLine(allGreen, findingFor(parts))).toMatch(/^npx commerce-conformance replay 00000001/);
});

it('what one call shows is that call', () => {
  expect(reproductionLine(allGreen, findingFor())).toBe('curl');
});
