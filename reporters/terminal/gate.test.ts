import { describe, expect, it } from 'vitest';
import { withBaseline } from '../../harness/results/with-baseline.ts';
import { allGreen, hostileText, oneFailure } from '../testing/sample-reports.ts';
import { renderGate } from './gate.ts';
import { renderReport } from './render-report.ts';

const options = { colour: false, width: 100 };
const id = oneFailure.results.find(({ outcome }) => outcome === 'fail')?.findings[0]?.id ?? '';
const base = { file: 'baseline.yaml', digest: `sha256:${'0'.repeat(64)}` };
const entry = { finding: id, reason: 'until March', owner: 'checkout-team', expires: '2026-12-31' };
const today = '2026-11-21';

describe('the gate on the terminal', () => {
  it('says nothing without a baseline', () => {
    expect(renderGate(oneFailure, options)).toBe('');
  });

  it('says that it passed, beside a verdict that stays what it is', () => {
    const text = renderReport(withBaseline(oneFailure, { ...base, accepted: [entry] }, today), options);
    expect(text).toContain('✓ gate passed  1 finding accepted, none new · baseline baseline.yaml');
    expect(text).toContain('✗ non-conformant');
    expect(text).toContain('accepted by checkout-team until 2026-12-31: until March');
  });

  it('says what is new, stale, expired, unknown and not judged', () => {
    const other = { ...entry, finding: 'ffffffff' };
    const accepted = [
      { ...other, operation: 'listPublicContactChannels' },
      { ...other, finding: 'fffffffe', expires: '2026-01-01' },
      { ...other, finding: 'fffffffd', operation: 'getOrders' },
    ];
    const text = renderGate(withBaseline(oneFailure, { ...base, accepted }, today), options);
    expect(text).toContain('✗ gate failed  0 findings accepted, 1 new, 1 stale entry, 1 expired entry');
    expect(text).toContain(`new: ${id}`);
    expect(text).toContain(
      'Stale: remove from the baseline:\n    ffffffff  listPublicContactChannels (checkout-team)',
    );
    expect(text).toContain('fffffffe (checkout-team): it counted to the end of 2026-01-01');
    expect(text).toContain('fffffffd  getOrders (checkout-team): there is no operation getOrders');
  });

  it('shows what a baseline says escaped', () => {
    const accepted = [{ ...entry, finding: 'ffffffff', owner: hostileText }];
    const text = renderGate(withBaseline(allGreen, { ...base, file: hostileText, accepted }, today), options);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });
});
