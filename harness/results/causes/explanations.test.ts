import { describe, expect, it } from 'vitest';
import { exampleExchange } from '../../checks/example-exchange.ts';
import type { Row } from '../../model/exchange.ts';
import type { CaseResult, Finding } from '../../model/report.ts';
import { findingFor, resultFor } from '../results-for-tests.ts';
import { lastPrimaries } from './explanations.ts';
import { attribute } from './root-causes.ts';

/** Which finding stands for which, by name. */
function last(explainedBy: Readonly<Record<string, string>>): unknown {
  return Object.fromEntries(lastPrimaries(new Map(Object.entries(explainedBy))));
}

it('follows explanations to their end', () => {
  expect(last({ a: 'b', b: 'c', d: 'c' })).toEqual({ a: 'c', b: 'c', d: 'c' });
});

it('lets one stand for all where findings explain each other', () => {
  expect(last({ a: 'b', b: 'a' })).toEqual({ a: 'b' });
  expect(last({ a: 'b', b: 'c', c: 'a', d: 'a' })).toEqual({ a: 'c', b: 'c', d: 'c' });
});

interface Sent {
  readonly operation: string;
  readonly row?: Row;
  readonly neutral?: readonly string[];
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly role?: 'control';
  readonly credential?: 'none' | 'unscoped';
  readonly company?: string;
  readonly sentBy?: string;
}

let ids = 0;

/** A call that was answered 403 with the service's words. */
function forbidden(requirement: string, { operation, row, neutral, headers, ...more }: Sent): CaseResult {
  ids += 1;
  const example = exampleExchange({
    ...{ operation, status: 403, body: '{"message":"Origin not allowed"}', role: 'probe', ...more },
    ...(row && { row }),
  });
  const exchange = {
    ...example,
    ...(neutral && { neutral }),
    case: { check: more.sentBy ?? `area/${requirement}`, operation },
    request: { ...example.request, headers },
  };
  const finding = findingFor({
    ...{ id: String(ids).padStart(8, '0'), message: requirement, exchange },
    ...(more.company && { company: more.company }),
  });
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

  it('explains a valid call beside which it rode along, and calls with other keys', () => {
    const watched = forbidden('ERROR-1', {
      ...{ operation: 'a', role: 'control', neutral: ['origin'], headers: [origin], sentBy: 'area/other' },
    });
    const company = 'with origin: https://shop.example';
    const keyless = forbidden('AUTH-2', {
      ...{ operation: 'a', neutral: ['origin'], headers: [origin], company, credential: 'none' },
    });
    const unscoped = forbidden('SCOPE-2', {
      ...{ operation: 'a', neutral: ['origin'], headers: [origin], company, credential: 'unscoped' },
    });
    const { rootCauses } = attribute([keyless, unscoped, watched, alone]);
    expect(rootCauses.map(({ headline }) => headline)).toEqual([expect.stringMatching(/^A call with/)]);
  });

  it('explains nothing where a call without it got the same answer', () => {
    const without = forbidden('RESOURCE-1', { operation: 'd', row: { slug: 'unknown' }, headers: [] });
    expect(attribute([amongOthers, alone, ridingAlong, without]).rootCauses.length).toBeGreaterThan(1);
  });
});

describe('findings of the same wrong response of one operation', () => {
  const crash = { operation: 'a', status: 500, body: '{"message":"no"}' };
  const found = (
    requirement: string,
    parts: Parameters<typeof exampleExchange>[0],
    more: Partial<Finding> = {},
    sentBy = `area/${requirement}`,
  ): CaseResult => {
    ids += 1;
    const exchange = { ...exampleExchange({ ...crash, ...parts }), case: { check: sentBy, operation: 'a' } };
    const finding = findingFor({ id: String(ids).padStart(8, '0'), message: requirement, exchange, ...more });
    const place = { operation: 'a', requirement, check: `area/${requirement}`, findings: [finding] };
    return resultFor('fail', 'must', place);
  };
  const sometimes = { seen: { times: 1, of: 3 } };
  const crowd = { company: 'with 5 calls under way' };
  const odd = { row: { body: 'odd' } };
  const slug = { slug: { value: 'x', source: 'generated' } } as const;
  const refused = { ...odd, status: 422 };
  const guarded = { status: 403, neutral: ['referer'] };
  const abroad = { company: 'with referer: https://shop.example/' };
  const elsewhere = { deviation: 'another resource', expected: '200' };
  const blank = { body: '', contentType: null };
  const sends = (bytes: number, one: CaseResult, json: 'malformed' | 'null' = 'malformed'): CaseResult => ({
    ...one,
    findings: one.findings.map((finding) => {
      const { exchange } = finding;
      const body = { text: '{', encoding: 'utf-8', bytes, truncated: false, json } as const;
      return {
        ...finding,
        exchange: { ...exchange, request: { ...exchange.request, method: 'POST', body } },
      };
    }),
  });

  it.each<readonly [string, CaseResult, CaseResult]>([
    [
      'the call that has no more than the other one',
      found('REQUEST-3', odd),
      found('ERROR-3', { ...odd, credential: 'none' }),
    ],
    [
      'an unknown value before an unusual one',
      found('RESOURCE-1', { values: slug, row: { slug: 'unknown' } }),
      found('RESOURCE-2', { values: slug, row: { slug: 'odd' } }),
    ],
    [
      'company where the other comes and goes',
      found('SURFACE-1', {}, crowd),
      found('CLIENT-1', { row: { accept: ['*/*'] } }, sometimes),
    ],
    [
      'a call that a check looked into before one that was watched',
      found('SESSION-2', { status: 200, credential: 'invalid' }),
      found('AUTH-3', { status: 200, credential: 'invalid' }, {}, 'area/SESSION-2'),
    ],
    [
      'a must before the should of a requirement',
      found('REQUEST-2', { ...odd, status: 200 }, { expected: '400' }),
      found('REQUEST-2', { row: { body: 'lenient' }, status: 200 }, { level: 'should', expected: '400' }),
    ],
    [
      'what is said to be wrong',
      found('SESSION-2', { status: 200 }, { deviation: 'x', expected: '200' }),
      found('SESSION-5', { status: 200 }, { deviation: 'x', expected: '200' }),
    ],
    [
      'a status that the contract does not have before its body',
      found('REQUEST-3', refused),
      found('ERROR-1', refused, {}, 'area/other'),
    ],
    [
      'a body that is too long before one of which a proxy cannot send the rest',
      sends(9_000, found('STATUS-1', { status: 413 })),
      sends(60_000, found('CLIENT-1', { ...odd, status: 502 })),
    ],
    [
      'one defect before several of which it is one',
      sends(1, found('REQUEST-2', odd)),
      sends(1, found('ERROR-3', { row: { sessionId: 'unknown' }, values: slug })),
    ],
    [
      'a missing body before the null that parsers take for none',
      found('REQUEST-1', { status: 200 }, { expected: '400' }),
      sends(4, found('REQUEST-3', { ...odd, status: 409 }, { expected: '400', triggers: ['null'] }), 'null'),
    ],
    [
      'a remembered miss before a known resource that is missing for a while',
      found('SURFACE-1', { status: 404 }, { kind: 'remembered miss' }),
      found('SURFACE-1', { status: 404, row: { accept: ['*/*'] } }, sometimes),
    ],
    [
      'the must that a header leads to before the should that it leads to',
      found('RESOURCE-2', { ...guarded, row: { slug: 'odd' } }, abroad),
      found('RESOURCE-1', { ...guarded, row: { slug: 'unknown' } }, { ...abroad, level: 'should' }),
    ],
    [
      'the first read of a session before a later one that shows the same wrong one',
      found('SESSION-1', { status: 200, row: { 'cache-control': 'no-cache' } }, elsewhere),
      found('SESSION-2', { status: 200, row: { connection: 'close' } }, elsewhere),
    ],
    [
      'a body that a must is about, where it comes and goes under other statuses as well',
      found('ERROR-1', { ...blank, status: 404 }, sometimes),
      found('ERROR-1', { ...blank, status: 400, row: { slug: 'odd' } }, { ...sometimes, level: 'should' }),
    ],
  ])('are one root cause, told by %s', (_what, better, other) => {
    const { rootCauses } = attribute([other, better]);
    expect(rootCauses.map(({ findings }) => findings[0])).toEqual([better.findings[0]?.id]);
  });

  it.each<readonly [string, CaseResult, CaseResult]>([
    [
      'calls have nothing in common',
      found('REQUEST-3', odd),
      found('CLIENT-1', { row: { accept: ['*/*'] } }),
    ],
    [
      'a call shows each time what company shows as well',
      found('SURFACE-1', {}, crowd),
      found('REQUEST-3', odd),
    ],
    [
      'bodies have another form',
      found('REQUEST-3', odd),
      found('ERROR-3', { ...odd, credential: 'none', contentType: 'text/html', body: '<html></html>' }),
    ],
    [
      'a proxy cannot send a body that is shorter than one that is too long',
      sends(9_000, found('STATUS-1', { status: 413 })),
      sends(100, found('CLIENT-1', { ...odd, status: 502 })),
    ],
    [
      'a key lacks the scope, and a session is not there',
      found('SESSION-2', { status: 404 }),
      found('SCOPE-1', { status: 404, credential: 'unscoped' }),
    ],
  ])('are two root causes where %s', (_what, one, other) => {
    expect(attribute([one, other]).rootCauses).toHaveLength(2);
  });
});
