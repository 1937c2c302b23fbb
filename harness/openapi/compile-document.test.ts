import { describe, expect, it } from 'vitest';
import type { Members } from '../model/supplied-document.ts';
import { compileDocument } from './compile-document.ts';
import type { SchemaVerdict } from './compile-schema.ts';
import { documentOf, documentWithThing, operationForTests } from './document-for-tests.ts';

const operation = operationForTests();

function answered(
  thing: unknown,
  value: unknown,
  version?: string,
  schemas?: Members,
): SchemaVerdict | undefined {
  return compileDocument(documentWithThing(thing, version, schemas)).responseValidator(
    operation,
    200,
    'application/json',
  )?.(value);
}

function requested(thing: unknown, value: unknown, version?: string): SchemaVerdict | undefined {
  return compileDocument(documentWithThing(thing, version)).requestValidator(operation)?.(value);
}

describe('what a schema says', () => {
  it('is told in words without changing parts', () => {
    const thing = {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        rows: { type: 'array', items: { type: 'object', properties: { amount: { type: 'integer' } } } },
        state: { enum: ['open', 'closed'] },
      },
      additionalProperties: false,
    };
    expect(answered(thing, { name: 'x', rows: [] })).toEqual({ ok: true });
    expect(answered(thing, { rows: [{ amount: 1 }, { amount: '1' }, { amount: '2' }], state: 'x' })).toEqual({
      ok: false,
      errors: [
        'the body lacks name',
        '/rows/*/amount must be integer',
        '/state is not one of ["open","closed"]',
      ],
    });
    expect(answered(thing, { name: 'x', more: 1 })).toEqual({
      ok: false,
      errors: ['the body holds more, which is not allowed'],
    });
  });

  it('may be circular', () => {
    const thing = {
      type: 'object',
      required: ['parts'],
      properties: { parts: { items: { $ref: '#/components/schemas/Thing' } } },
    };
    expect(answered(thing, { parts: [{ parts: [] }] })).toEqual({ ok: true });
    expect(answered(thing, { parts: [{}] })).toEqual({ ok: false, errors: ['/parts/* lacks parts'] });
  });

  it.each([
    ['exact multiples in binary fractions', { multipleOf: 0.01 }, 0.07, true],
    ['large multiples', { multipleOf: 0.01 }, 4_938_271.57, true],
    ['what lies between two steps', { multipleOf: 0.01 }, 0.075, false],
    ['a time', { type: 'string', format: 'date-time' }, '2026-01-01T10:00:00Z', true],
    ['a time with a space', { type: 'string', format: 'date-time' }, '2026-01-01 10:00:00Z', false],
    ['a day that there is not', { type: 'string', format: 'date' }, '2026-02-30', false],
    ['an hour that there is not', { type: 'string', format: 'time' }, '25:00:00Z', false],
    ['a duration', { type: 'string', format: 'duration' }, 'P1DT2H', true],
    ['a duration in words', { type: 'string', format: 'duration' }, '1 day', false],
    ['a URI', { type: 'string', format: 'uri' }, 'urn:checkout:7d2c', true],
    ['a URI without a scheme', { type: 'string', format: 'uri' }, '/checkout', false],
    ['an address of IPv6', { type: 'string', format: 'ipv6' }, '2001:db8::1', true],
    ['an address of IPv4 that there is not', { type: 'string', format: 'ipv4' }, '1.2.3.256', false],
    ['a UUID that is too short', { type: 'string', format: 'uuid' }, '7d2c', false],
    ['a number beyond int32', { type: 'integer', format: 'int32' }, 2 ** 31, false],
    ['an unknown format', { type: 'string', format: 'colour' }, 'red', true],
    ['an address outside ASCII', { type: 'string', format: 'email' }, 'zoë@example.com', true],
    ['a pattern for a laxer engine', { type: 'string', pattern: '^[\\w-.]+$' }, 'a-b', true],
    ['a pattern for another engine', { type: 'string', pattern: '(?i)^abc$' }, 'xyz', true],
    ['null, where 3.1 does not know nullable', { type: 'string', nullable: true }, null, false],
    ['null, by its type', { type: ['string', 'null'] }, null, true],
    [
      'a discriminator, which constrains nothing',
      { discriminator: { propertyName: 'a' }, type: 'object' },
      {},
      true,
    ],
    ['a member called constructor', { required: ['constructor'] }, {}, false],
  ])('reads %s', (_name, thing, value, ok) => {
    expect(answered(thing, value)?.ok).toBe(ok);
  });

  it.each([
    ['null', { type: 'string', nullable: true }, null, true],
    ['null beside an enum', { type: 'string', enum: ['a'], nullable: true }, null, true],
    ['null beside allOf', { allOf: [{ type: 'string' }], nullable: true }, null, true],
    ['no null', { type: 'string', nullable: false }, null, false],
    ['an exclusive bound', { minimum: 1, exclusiveMinimum: true }, 1, false],
    [
      'siblings of a reference, which count for nothing',
      { $ref: '#/components/schemas/Other', maxLength: 1 },
      'ab',
      true,
    ],
  ])('reads in 3.0: %s', (_name, thing, value, ok) => {
    expect(answered(thing, value, '3.0.3', { Other: { type: 'string' } })?.ok).toBe(ok);
  });

  it('asks no request for what is read only, and no answer for what is write only', () => {
    const thing = {
      type: 'object',
      required: ['id', 'secret', 'name'],
      properties: {
        id: { type: 'string', readOnly: true },
        secret: { $ref: '#/components/schemas/Secret' },
        name: { type: 'string' },
      },
    };
    const secret = { Secret: { type: 'string', writeOnly: true } };
    expect(answered(thing, { id: '1', name: 'x' }, '3.1.0', secret)).toEqual({ ok: true });
    expect(answered(thing, { name: 'x' }, '3.1.0', secret)?.ok).toBe(false);
    const inParts = {
      allOf: [{ properties: { id: { readOnly: true, type: 'string' } } }, { required: ['id', 'a'] }],
    };
    expect(requested(inParts, { a: 1 })).toEqual({ ok: true });
    expect(requested(inParts, {})).toEqual({ ok: false, errors: ['the body lacks a'] });
  });

  it('does not mistake names and examples for keywords', () => {
    const thing = {
      type: 'object',
      properties: { required: { type: 'boolean' }, example: { type: 'string' }, $id: { type: 'string' } },
      example: { $id: 'https://a.example/x', $ref: '#/nowhere' },
      default: { $id: 'https://a.example/x' },
    };
    expect(answered(thing, { required: true, example: 'x' })).toEqual({ ok: true });
    expect(answered(thing, { example: 1 })?.ok).toBe(false);
  });
});

describe('what is not known', () => {
  it.each([
    ['an empty schema', {}],
    ['true', true],
    ['a description', { description: 'anything', title: 'Thing', nullable: true }],
    ['more of anything', { additionalProperties: true }],
    ['a reference to anything', { $ref: '#/components/schemas/Open' }],
    ['all of anything', { allOf: [{}, { $ref: '#/components/schemas/Open' }] }],
    ['anything or a string', { anyOf: [{ type: 'string' }, {}] }],
  ])('has no validator: %s', (_name, thing) => {
    const compiled = compileDocument(documentWithThing(thing, '3.1.0', { Open: { 'x-open': true } }));
    expect(compiled.responseValidator(operation, 200, 'application/json')).toBeUndefined();
    expect(compiled.requestValidator(operation)).toBeUndefined();
    expect(compiled.unusable.size).toBe(0);
  });

  it.each([
    ['a type that there is not', { type: 'strng' }],
    ['a reference that leads nowhere', { $ref: '#/components/schemas/Missing' }],
    ['nothing but itself', { $ref: '#/components/schemas/Thing' }],
    ['a bound that is a text', { type: 'string', minLength: '1' }],
  ])('is named: %s', (_name, thing) => {
    const compiled = compileDocument(documentWithThing(thing));
    compiled.compileAll([operation]);
    expect(compiled.responseValidator(operation, 200, undefined)).toBeUndefined();
    expect(compiled.unusable.size).toBeGreaterThan(0);
    for (const { reason } of compiled.unusable.values()) expect(reason).not.toContain('oas:');
  });

  it('is another operation', () => {
    const compiled = compileDocument(documentWithThing({ type: 'string' }));
    expect(compiled.requestValidator(operationForTests({ path: '/api/v1/others' }))).toBeUndefined();
    expect(compiled.requestValidator(operationForTests({ method: 'GET' }))).toBeUndefined();
  });
});

describe('the schema of an answer', () => {
  const text = { type: 'string' };
  const number = { type: 'number' };
  const compiled = compileDocument(
    documentOf({
      openapi: '3.1.0',
      paths: {
        '/api/v1/things': {
          post: {
            responses: {
              '200': {
                content: { 'application/vnd.a+json': { schema: text }, 'text/csv': { schema: number } },
              },
              '404': { $ref: '#/components/responses/Gone' },
              '4XX': { content: { 'application/*': { schema: number } } },
              default: { content: { '*/*': { schema: text } } },
            },
          },
        },
      },
      components: {
        responses: { Gone: { description: 'no body is described' } },
        schemas: {
          PublicErrorResponse: { type: 'object', properties: { code: text } },
          OperationResponse: { type: 'boolean' },
        },
      },
    }),
  );

  it.each([
    [200, 'application/json', 'x'],
    [200, 'Application/VND.A+json; v=1', 'x'],
    [200, 'text/csv', 1],
    [409, 'application/json', 1],
    [500, 'application/json', 'x'],
    [404, 'application/json', { code: 'x' }],
  ])('of %i as %s', (status, mediaType, value) => {
    expect(compiled.responseValidator(operation, status, mediaType)?.(value)).toEqual({ ok: true });
    expect(compiled.responseValidator(operation, status, mediaType)?.([])?.ok).toBe(false);
  });

  it('is that of the name in the contract where the operation shows none', () => {
    const other = operationForTests({ path: '/api/v1/others', responseSchema: 'OperationResponse' });
    expect(compiled.responseValidator(other, 200, 'application/json')?.(true)).toEqual({ ok: true });
    expect(compiled.responseValidator(other, 404, 'application/json')?.({ code: 1 })?.ok).toBe(false);
  });
});

describe('an operation is found', () => {
  const route = operationForTests({ path: '/api/v1/merchants/{slug}/products', pathParameters: ['slug'] });
  const described = {
    post: { requestBody: { content: { 'application/json': { schema: { type: 'string' } } } } },
  };

  it.each([
    ['by another parameter name', '/api/v1/merchants/{merchantId}/products', undefined],
    ['below a gateway', '/shop/api/v1/merchants/{slug}/products', undefined],
    ['below the path of a server', '/merchants/{slug}/products', [{ url: 'https://a.example/api/v1/' }]],
    ['below a relative server', '/v1/merchants/{slug}/products', [{ url: '/shop/api' }]],
    ['below the second server', '/merchants/{slug}/products', [{ url: '/' }, { url: '/api/v1' }]],
    [
      'below a server with variables',
      '/merchants/{slug}/products',
      [{ url: 'https://{host}/{base}', variables: { host: { default: 'a' }, base: { default: 'api/v1' } } }],
    ],
  ])('%s', (_name, path, servers) => {
    const content = { openapi: '3.1.0', ...(servers && { servers }), paths: { [path]: described } };
    expect(compileDocument(documentOf(content)).requestValidator(route)?.('x')).toEqual({ ok: true });
  });

  it.each([
    '/merchants/{slug}/products',
    '/api/v2/merchants/{slug}/products',
    '/api/v1/merchants/{slug}/products/',
  ])('but not at %s', (path) => {
    const content = { openapi: '3.1.0', paths: { [path]: described } };
    expect(compileDocument(documentOf(content)).find(route)).toBeUndefined();
  });

  it('at the plainest of several paths', () => {
    const paths = {
      '/internal/api/v1/merchants/{slug}/products': {},
      '/api/v1/merchants/{slug}/products': described,
    };
    const content = { openapi: '3.1.0', paths };
    expect(compileDocument(documentOf(content)).find(route)?.path).toBe('/api/v1/merchants/{slug}/products');
  });
});

describe('the members of error bodies', () => {
  const code = { type: 'object', required: ['code'] };
  const hint = { type: 'object', properties: { hint: { type: 'string' } } };
  const document = (named: unknown, declared: unknown = true): ReturnType<typeof compileDocument> =>
    compileDocument(
      documentOf({
        openapi: '3.1.0',
        paths: {
          '/api/v1/things': {
            post: { responses: { '404': { content: { 'application/json': { schema: declared } } } } },
          },
        },
        components: { schemas: { PublicErrorResponse: named, Code: code } },
      }),
    );

  it.each([
    ['by itself', code],
    ['by reference', { $ref: '#/components/schemas/Code' }],
    ['in a part', { allOf: [hint, { $ref: '#/components/schemas/Code' }] }],
    ['in each alternative', { oneOf: [code, { required: ['code', 'hint'] }] }],
  ])('are required %s', (_how, named) => {
    expect(document(named).requiresErrorMembers(operation, [404])).toBe(true);
  });

  it.each([
    ['where all are optional', hint],
    ['where an alternative requires none', { anyOf: [code, hint] }],
    ['where alternatives require different ones', { oneOf: [code, { required: ['error'] }] }],
    ['where the schema refers to itself', { allOf: [{ $ref: '#/components/schemas/PublicErrorResponse' }] }],
    ['where anything is allowed', {}],
  ])('are not required %s', (_how, named) => {
    expect(document(named).requiresErrorMembers(operation, [404])).toBe(false);
  });

  it('are not required where the operation shows a schema that requires none', () => {
    expect(document(code, hint).requiresErrorMembers(operation, [404])).toBe(false);
    expect(document(code, hint).requiresErrorMembers(operation, [409])).toBe(true);
  });
});
