import { expect, it } from 'vitest';
import type { Finding } from '../../harness/model/report.ts';
import { oneFailure } from '../testing/sample-reports.ts';
import { findingText } from './finding-text.ts';
import { violationsOf } from './violation.ts';

function logged(ids: Pick<Finding, 'requestId' | 'traceId' | 'responseIds'>): string | null | undefined {
  const [violation] = violationsOf(oneFailure).failures;
  if (violation?.finding == null) throw new Error('the sample has no finding');
  const { requestId: _requestId, traceId: _traceId, ...finding } = violation.finding;
  return findingText({ ...violation, finding: { ...finding, ...ids } }, oneFailure, (text) => `<${text}>`)
    .logged;
}

it('names the ids of request and response, each shown as the medium requires', () => {
  expect(
    logged({ requestId: 'a-1', traceId: 'b2', responseIds: [{ header: 'cf-ray', value: '8a-FRA' }] }),
  ).toBe('in your logs: x-request-id <a-1> · trace <b2> · the response names <cf-ray> <8a-FRA>');
  expect(logged({ responseIds: [{ header: 'x-request-id', value: 'c' }] })).toBe(
    'in your logs: the response names <x-request-id> <c>',
  );
  expect(logged({})).toBeNull();
});
