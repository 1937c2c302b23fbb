import { describe, expect, it } from 'vitest';
import { exampleExchange } from '../checks/example-exchange.ts';
import { recordBody } from '../http/record-answer.ts';
import type { UsedValue } from '../model/exchange.ts';
import {
  describeAnswer,
  describeBody,
  headerOf,
  isBlockedInFront,
  isJsonMediaType,
  mayBeAnotherRoute,
  parseBody,
  statusOf,
} from './answer.ts';
import { SecretRegister } from './secret-register.ts';

const body = (text: string | Buffer, whole = true): ReturnType<typeof recordBody> =>
  recordBody(Buffer.from(text), new SecretRegister(), whole);

describe('statusOf', () => {
  it('is that of a complete answer only', () => {
    expect(statusOf(exampleExchange({ status: 404 }))).toBe(404);
    expect(statusOf(exampleExchange({ failure: 'timeout' }))).toBeUndefined();
    expect(statusOf(exampleExchange({ status: 200, failure: 'reset' }))).toBeUndefined();
  });
});

describe('describeAnswer', () => {
  it.each([
    [exampleExchange({ status: 404 }), '404'],
    [exampleExchange({ failure: 'timeout' }), 'no answer (timeout)'],
    [exampleExchange({ status: 200, failure: 'reset' }), 'an incomplete answer with status 200 (reset)'],
    [exampleExchange({}), 'no answer'],
  ])('%# says what came', (exchange, words) => {
    expect(describeAnswer(exchange)).toBe(words);
  });
});

describe('headerOf', () => {
  it('finds the first of a name, in any case', () => {
    const exchange = exampleExchange({ status: 200, headers: { 'X-One': 'a', 'x-one': 'b' } });
    expect(headerOf(exchange, 'x-ONE')).toBe('a');
    expect(headerOf(exchange, 'x-two')).toBeUndefined();
    expect(headerOf(exampleExchange({}), 'x-one')).toBeUndefined();
  });
});

describe('isJsonMediaType', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    ' application/json ',
    'text/json',
    'application/problem+json',
    'application/vnd.commerce.error-v1+json; v=1',
  ])('is said of %j', (type) => {
    expect(isJsonMediaType(type)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'json',
    'text/html',
    'text/plain; format=application/json',
    'application/jsonp',
    'application/json-seq',
    'application/xml+jsonx',
    'application/+json',
    'application/json, text/html',
  ])('is not said of %j', (type) => {
    expect(isJsonMediaType(type)).toBe(false);
  });
});

describe('parseBody', () => {
  it('gives the value of a whole JSON text', () => {
    expect(parseBody(body('\uFEFF{"a":[1]}'))).toEqual({ a: [1] });
    expect(parseBody(body('null'))).toBeNull();
    expect(parseBody(body('0'))).toBe(0);
  });

  it.each([
    ['nothing', undefined],
    ['an empty body', body('')],
    ['what is not JSON', body('<html>')],
    ['what is not UTF-8', body(Buffer.from([0xff]))],
    ['what was given up', body('{}', false)],
    ['what was not kept whole', body(JSON.stringify('a'.repeat(70_000)))],
  ])('gives nothing for %s', (_what, recorded) => {
    expect(parseBody(recorded)).toBeUndefined();
  });
});

describe('describeBody', () => {
  it.each([
    ['', 'an empty body'],
    ['{}', 'a JSON object'],
    ['[]', 'a JSON array'],
    ['null', 'JSON null'],
    ['"a"', 'a bare JSON string'],
    ['1', 'a bare JSON number'],
    ['true', 'a bare JSON boolean'],
    ['<a>', 'a body that is not JSON'],
    [Buffer.from([0xff]), 'bytes that are not UTF-8'],
  ])('calls %j %s', (text, words) => {
    expect(describeBody(body(text))).toBe(words);
  });
});

describe('mayBeAnotherRoute', () => {
  it.each([
    ['a slug as it is', '/products/linen%2Fshirt', 'target-file', false],
    ['a slug that was made up', '/products/linen', 'generated', false],
    ['an encoded slash', '/products/linen%2Fshirt', 'generated', true],
    ['a dot segment', '/products/%2e%2e', 'generated', true],
    ['what is no path', '/products/a|b', 'generated', true],
    ['a parameter of an empty segment', '/products/;a=b', 'generated', true],
    ['a parameter of a segment', '/products/linen;a=b', 'generated', false],
    [
      'a path without parameters in which a key was redacted',
      '/hosted/<scoped key>/sessions',
      undefined,
      false,
    ],
  ] as const)('for %s', (_what, path, source, expected) => {
    const values: Record<string, UsedValue> = source === undefined ? {} : { slug: { value: 'x', source } };
    const exchange = exampleExchange({ status: 200, values });
    expect(mayBeAnotherRoute({ ...exchange, request: { ...exchange.request, path } })).toBe(expected);
  });

  it.each([
    [406, 'image/gif, *; q=.2, */*; q=.2', true],
    [406, 'image/gif, */*; q=.2', false],
    [500, 'image/gif, *; q=.2, */*; q=.2', false],
  ])('for a %i to Accept: %s', (status, accept, expected) => {
    const exchange = exampleExchange({ status });
    const headers = [...exchange.request.headers, ['accept', accept] as const];
    expect(mayBeAnotherRoute({ ...exchange, request: { ...exchange.request, headers } })).toBe(expected);
  });

  it.each([
    ['the run, as the harness calls itself', [['user-agent', 'commerce-conformance/1']], false],
    [
      'the run, as its user calls it',
      [
        ['user-agent', 'Mozilla/5.0'],
        ['accept', 'application/json'],
      ],
      false,
    ],
    [
      'a check that chooses it',
      [
        ['accept', 'application/json'],
        ['user-agent', 'curl/8.5.0'],
      ],
      true,
    ],
    ['a check that leaves it out', [['accept', 'application/json']], true],
  ] as const)('for a page under 403 to a User-Agent of %s', (_what, headers, expected) => {
    const exchange = exampleExchange({ status: 403, body: '<html>Forbidden</html>' });
    expect(mayBeAnotherRoute({ ...exchange, request: { ...exchange.request, headers } })).toBe(expected);
  });
});

it.each([
  ['<html><title>403 Forbidden</title></html>', true],
  ['<h1>Forbidden</h1><p>CSRF verification failed. Request aborted.</p>', false],
  ["<h1>Can't verify CSRF token authenticity</h1>", false],
  ['{"error":"forbidden"}', false],
])('tells a page of a firewall from one that wants a token: %s', (body, expected) => {
  const exchange = exampleExchange({ status: 403, body });
  expect(isBlockedInFront(exchange)).toBe(expected);
});
