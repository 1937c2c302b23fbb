import { describe, expect, test } from 'vitest';
import { type ExampleParts, exampleExchange } from '../../checks/example-exchange.ts';
import type { Exchange } from '../../model/exchange.ts';
import { asCached } from './cached-answer.ts';

const body = '{"items":[]}';
const keyed = of('scoped', 'aa');
const stranger = of('none', undefined, { headers: { 'X-Cache-Status': 'HIT', Age: '3' } });

describe('asCached', () => {
  test('names the headers of a hit, the client before, and both calls', () => {
    const violation = cached(stranger, [keyed, stranger]);
    expect(violation).toMatchObject({ kind: 'cached', steps: [keyed, stranger] });
    expect(violation.detail).toBe(
      'the same bytes as the answer to the scoped before; its cache headers are X-Cache-Status: HIT, Age: 3',
    );
    expect(violation.fix).toContain('proxy_no_cache $http_authorization');
  });

  test('takes a refusal under a URL of its own for proof', () => {
    const plain = of('none', undefined);
    const apart = of('none', undefined, { status: 401, request: { path: '/example?_=1' } });
    expect(cached(plain, [keyed, plain, apart]).detail).toContain('401 under a fresh URL');
  });

  test('takes the id of the other response for proof, and a refusal before it', () => {
    const id = { headers: { 'X-Request-Id': 'e8307f30' } };
    const repeated = of('none', undefined, id);
    expect(cached(repeated, [of('scoped', 'aa', id), repeated]).detail).toContain(
      'the same x-request-id (e8307f30)',
    );
    const plain = of('none', undefined);
    const refused = of('none', undefined, { status: 401 });
    expect(cached(plain, [refused, keyed, plain]).detail).toContain('401 before that');
    expect(cached(plain, [keyed, refused, plain]).kind).toBeUndefined();
  });

  test('takes no refusal for proof that came in another way, or on another connection', () => {
    const refused = of('none', undefined, { status: 401 });
    const inItsWay = of('none', undefined, { row: { way: ['header origin'] } });
    const reused = of('none', undefined, { connection: 'reused' });
    for (const accepted of [inItsWay, reused])
      expect(cached(accepted, [refused, keyed, accepted]).kind).toBeUndefined();
  });

  test('takes no age for proof where a refusal has one too', () => {
    const aged = of('none', undefined, { headers: { age: '3' } });
    const refused = of('none', 'cc', { status: 401, headers: { age: '3' } });
    expect(cached(aged, [keyed, aged]).kind).toBeDefined();
    expect(cached(aged, [refused, keyed, aged]).kind).toBeUndefined();
  });

  test.for([
    ['an age that may be rounded', of('none', undefined, { headers: { age: '2' } }), 'AUTH-2'],
    ['equal bytes alone', of('none', undefined), 'AUTH-2'],
    ['a miss', of('none', undefined, { headers: { 'x-cache': 'MISS', age: '0', via: '1.1 hit' } }), 'AUTH-2'],
    ['a hit that has nothing to do with keys', stranger, 'ERROR-1'],
  ] as const)('leaves %s as it is', ([, exchange, requirement]) => {
    expect(cached(exchange, [keyed, exchange], requirement).kind).toBeUndefined();
  });
});

test('names a cache beside the check of the key where no stranger was refused', () => {
  const plain = of('none', undefined);
  expect(cached(plain, [plain]).fix).toContain('a cache has answered');
  expect(cached(plain, [plain, of('none', undefined, { status: 401 })]).fix).toBeUndefined();
  const apart = of('none', undefined, { request: { path: '/example?_=1' } });
  expect(cached(plain, [plain, apart]).fix).toBeUndefined();
  expect(cached(plain, [keyed, plain, apart]).fix).toContain('Look for a cache in front of the guard, too');
});

describe('a miss that is remembered', () => {
  const read = (second: number, value: string, status: number): Exchange => {
    const startedAt = `2026-01-01T00:00:0${second}.000Z`;
    return exampleExchange({ status, body: '{}', startedAt, request: { path: `/things/${value}` } });
  };
  const found = read(0, 'shirt', 200);
  const lost = read(2, 'shirt', 404);
  const causeOf = (...attempt: readonly Exchange[]) =>
    asCached(
      {
        statement: 'A valid call was not answered with 200',
        expected: '200',
        actual: '404',
        company: 'in a crowd',
        exchange: lost,
      },
      'SURFACE-1',
      attempt,
    );

  test.for(['SHIRT', '%20shirt%20', 'ｓhirt'])('is named with the other spelling %s', ([...value]) => {
    const miss = read(1, value.join(''), 404);
    const violation = causeOf(found, miss, lost);
    expect(violation).toMatchObject({ kind: 'remembered miss', steps: [found, miss, lost] });
    expect(violation.company).toBeUndefined();
    expect(violation.fix).toContain('under the exact value');
  });

  test.for<readonly [string, ...Exchange[]]>([
    ['another value was asked for', found, read(1, 'skirt', 404), lost],
    ['it was not known before', read(1, 'SHIRT', 404), lost],
    ['it is found in between', found, read(1, 'SHIRT', 404), read(3, 'shirt', 200), lost],
    ['the other spelling is found', found, read(1, 'SHIRT', 200), lost],
  ])('is not where %s', ([, ...attempt]) => {
    expect(causeOf(...attempt)).toMatchObject({ company: 'in a crowd' });
  });
});

function cached(exchange: Exchange, attempt: readonly Exchange[], requirement = 'AUTH-2') {
  const violation = { statement: 'A call was accepted', expected: '401', actual: '200', exchange };
  return asCached(violation, requirement, attempt);
}

function of(kind: 'none' | 'scoped', fingerprint: string | undefined, parts: ExampleParts = {}): Exchange {
  const credential = { kind, description: kind, ...(fingerprint !== undefined && { fingerprint }) };
  return exampleExchange({ status: 200, body, ...parts, request: { credential, ...parts.request } });
}
