import { describe, expect, it } from 'vitest';
import { exampleExchange } from '../../checks/example-exchange.ts';
import type { Row } from '../../model/exchange.ts';
import type { CaseResult } from '../../model/report.ts';
import { findingFor, resultFor } from '../results-for-tests.ts';
import { attribute } from './root-causes.ts';

interface Sent {
  readonly operation: string;
  readonly row?: Row;
  readonly neutral?: readonly string[];
  readonly headers: ReadonlyArray<readonly [string, string]>;
}

let ids = 0;

/** A call that was answered 403 with the service's words. */
function forbidden(requirement: string, { operation, row, neutral, headers }: Sent): CaseResult {
  ids += 1;
  const example = exampleExchange({
    ...{ operation, status: 403, body: '{"message":"Origin not allowed"}', role: 'probe' },
    ...(row && { row }),
  });
  const exchange = {
    ...example,
    ...(neutral && { neutral }),
    request: { ...example.request, headers },
  };
  const finding = findingFor({ id: String(ids).padStart(8, '0'), message: requirement, exchange });
  return resultFor('fail', 'must', {
    operation,
    requirement,
    check: `area/${requirement}`,
    findings: [finding],
  });
}

const origin = ['origin', 'https://shop.example'] as const;
const alone = forbidden('CLIENT-1', { operation: 'a', row: { origin: [origin[1]] }, headers: [origin] });
const amongOthers = forbidden('CLIENT-1', {
  ...{ operation: 'b', row: { origin: [origin[1]], accept: ['*/*'] } },
  headers: [['accept', '*/*'], origin],
});
const ridingAlong = forbidden('RESOURCE-1', {
  ...{ operation: 'c', row: { slug: 'unknown' }, neutral: ['origin', 'dnt'] },
  headers: [['dnt', '1'], origin],
});

describe('a header that alone leads to an answer', () => {
  it('explains calls that carried it among others and got the same answer', () => {
    const { rootCauses } = attribute([amongOthers, alone, ridingAlong]);
    expect(rootCauses.map(({ operations }) => [...operations].sort())).toEqual([['a', 'b', 'c']]);
    expect(rootCauses[0]?.headline).not.toContain('accept');
    expect(rootCauses[0]?.fix).toContain('CORS');
  });

  it('explains nothing where a call without it got the same answer', () => {
    const without = forbidden('RESOURCE-1', { operation: 'd', row: { slug: 'unknown' }, headers: [] });
    expect(attribute([amongOthers, alone, ridingAlong, without]).rootCauses.length).toBeGreaterThan(1);
  });
});
