import { describe, expect, it } from 'vitest';
import type { ExampleParts } from '../../checks/example-exchange.ts';
import type { HeaderList, RecordedRequest } from '../../model/exchange.ts';
import type { CaseResult, Finding } from '../../model/report.ts';
import { caseShowing } from '../results-for-tests.ts';
import { lastPrimaries } from './primaries.ts';
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

const origin = ['origin', 'https://shop.example'] as const;

/** A call that was answered 403 with the service's words. */
function forbidden(
  requirement: string,
  parts: ExampleParts,
  headers: HeaderList = [origin],
  finding: Partial<Finding> = {},
): CaseResult {
  const refused = { status: 403, body: '{"message":"Origin not allowed"}', request: { headers } };
  return caseShowing(requirement, { ...refused, ...parts }, finding);
}

const alone = forbidden('CLIENT-1', { operation: 'a', row: { origin: [origin[1]] } });
const amongOthers = forbidden('CLIENT-1', { operation: 'b', row: { origin: [origin[1]], accept: ['*/*'] } }, [
  ['accept', '*/*'],
  origin,
]);
const ridingAlong = forbidden(
  'RESOURCE-1',
  { operation: 'c', row: { slug: 'unknown' }, neutral: ['origin', 'dnt'] },
  [['dnt', '1'], origin],
);

const crash = { status: 500, body: '' };
const atSomeMoments = { company: 'at some moments', deviation: 'of its moment', seen: { times: 3, of: 3 } };
const watched = caseShowing('STATUS-1', { ...crash, role: 'control' }, atSomeMoments);

describe('a valid call that fails at some moments', () => {
  it('is explained by a sequence after which it fails each time', () => {
    const sequence = { ...crash, row: { sequence: 'create A, read A, cancel A' }, label: 'cancel A' };
    const { rootCauses } = attribute([
      watched,
      caseShowing('SESSION-2', sequence, { seen: { times: 3, of: 3 } }),
    ]);
    expect(rootCauses.map(({ requirements }) => requirements)).toEqual([['SESSION-2', 'STATUS-1']]);
  });

  it('is a cause of its own beside a body that crashes each time', () => {
    const broken = { ...crash, row: { body: 'truncated' } };
    const { rootCauses } = attribute([
      watched,
      caseShowing('REQUEST-2', broken, { seen: { times: 3, of: 3 } }),
    ]);
    expect(rootCauses).toHaveLength(2);
  });
});

describe('what lets a call through without a key', () => {
  const way = ['header x-debug'];
  const accepted = { status: 200, row: { way } };
  const open = caseShowing('AUTH-2', { ...accepted, operation: 'a', credential: 'none' });

  it('explains the same for a key that lacks the scope at another operation', () => {
    const unscoped = caseShowing('SCOPE-1', { ...accepted, operation: 'b', credential: 'unscoped' });
    expect(attribute([open, unscoped]).rootCauses).toHaveLength(1);
  });

  it('explains no key that lacks the scope and is accepted with something else', () => {
    const other = {
      status: 200,
      row: { way: ['header x-role'] },
      operation: 'b',
      credential: 'unscoped',
    } as const;
    expect(attribute([open, caseShowing('SCOPE-1', other)]).rootCauses).toHaveLength(2);
  });
});

describe('a header that alone leads to an answer', () => {
  it('explains calls that carried it among others and got the same answer', () => {
    const { rootCauses } = attribute([amongOthers, alone, ridingAlong]);
    expect(rootCauses.map(({ operations }) => [...operations].sort())).toEqual([['a', 'b', 'c']]);
    expect(rootCauses[0]?.headline).not.toContain('accept');
    expect(rootCauses[0]?.fix).toContain('CORS');
  });

  it('explains a valid call beside which it rode along, and calls with other keys', () => {
    const company = 'with origin: https://shop.example';
    const rides = { operation: 'a', neutral: ['origin'] };
    const watched = forbidden('ERROR-1', { ...rides, role: 'control' });
    const keyless = forbidden('AUTH-2', { ...rides, credential: 'none' }, [origin], { company });
    const unscoped = forbidden('SCOPE-2', { ...rides, credential: 'unscoped' }, [origin], { company });
    const { rootCauses } = attribute([keyless, unscoped, watched, alone]);
    expect(rootCauses.map(({ headline }) => headline)).toEqual([expect.stringMatching(/^A call with/)]);
  });

  it('explains nothing where a call without it got the same answer', () => {
    const without = forbidden('RESOURCE-1', { operation: 'd', row: { slug: 'unknown' } }, []);
    expect(attribute([amongOthers, alone, ridingAlong, without]).rootCauses.length).toBeGreaterThan(1);
  });
});

describe('findings of the same wrong response of one operation', () => {
  const found = (requirement: string, parts: ExampleParts, finding: Partial<Finding> = {}): CaseResult =>
    caseShowing(
      requirement,
      { sentBy: `area/${requirement}`, status: 500, body: '{"message":"no"}', ...parts },
      finding,
    );
  const sometimes = { seen: { times: 1, of: 3 } };
  const crowd = { company: 'with 5 calls under way' };
  const odd = { row: { body: 'odd' } };
  const slug = { slug: { value: 'x', source: 'generated' } } as const;
  const refused = { ...odd, status: 422 };
  const guarded = { status: 403, neutral: ['referer'] };
  const abroad = { company: 'with referer: https://shop.example/' };
  const elsewhere = { deviation: 'another resource', expected: '200' };
  const blank = { body: '', contentType: null };
  const sends = (bytes: number, json: 'malformed' | 'null' = 'malformed'): Partial<RecordedRequest> => ({
    method: 'POST',
    body: { text: '{', encoding: 'utf-8', bytes, truncated: false, json },
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
      found('AUTH-3', { status: 200, credential: 'invalid', sentBy: 'area/SESSION-2' }),
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
      found('ERROR-1', { ...refused, sentBy: 'area/other' }),
    ],
    [
      'a body that is too long before one of which a proxy cannot send the rest',
      found('STATUS-1', { status: 413, request: sends(9_000) }),
      found('CLIENT-1', { ...odd, status: 502, request: sends(60_000) }),
    ],
    [
      'one defect before several of which it is one',
      found('REQUEST-2', { ...odd, request: sends(1) }),
      found('ERROR-3', { row: { sessionId: 'unknown' }, values: slug, request: sends(1) }),
    ],
    [
      'a missing body before the null that parsers take for none',
      found('REQUEST-1', { status: 200 }, { expected: '400' }),
      found(
        'REQUEST-3',
        { ...odd, status: 409, request: sends(4, 'null') },
        { expected: '400', triggers: ['null'] },
      ),
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
      found('STATUS-1', { status: 413, request: sends(9_000) }),
      found('CLIENT-1', { ...odd, status: 502, request: sends(100) }),
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

it('takes a value that cannot be decoded a second time for the cause of one that can', () => {
  const path = (value: string): Partial<RecordedRequest> => ({ path: `/products/${value}` });
  const undecodable = { ...crash, label: 'a percent sign', request: path('%25') };
  const twice = { status: 200, row: { slug: 'encoded-twice' }, request: path('%2561telier') };
  const { rootCauses } = attribute([
    caseShowing('RESOURCE-2', { ...undecodable, row: { slug: 'percent-sign' } }),
    caseShowing('RESOURCE-1', twice, { level: 'should' }),
  ]);
  expect(rootCauses.map(({ requirements }) => requirements)).toEqual([['RESOURCE-2', 'RESOURCE-1']]);
});
