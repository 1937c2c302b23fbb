import { describe, expect, it, test } from 'vitest';
import type { Members } from '../model/supplied-document.ts';
import { compileDocument } from './compile-document.ts';
import { documentOf, documentWithThing, operationForTests } from './document-for-tests.ts';
import {
  madeUpBody,
  requiredQuery,
  suggestedBody,
  suggestedCapture,
  suggestedParameter,
} from './example-values.ts';

const operation = operationForTests();
const schema = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };

function withMediaType(mediaType: Members): ReturnType<typeof compileDocument> {
  return compileDocument(
    documentOf({
      openapi: '3.1.0',
      paths: { '/api/v1/things': { post: { requestBody: { content: { 'application/json': mediaType } } } } },
      components: { examples: { good: { value: { a: 3 } } } },
    }),
  );
}

describe('a suggested body', () => {
  it.each([
    ['is the example', { schema, example: { a: 1 } }, { a: 1 }],
    ['is one of the examples', { schema, examples: { one: { value: { a: 2 } } } }, { a: 2 }],
    [
      'is an example elsewhere',
      { schema, examples: { one: { $ref: '#/components/examples/good' } } },
      { a: 3 },
    ],
    [
      'is the first that satisfies the schema',
      { schema, examples: { x: { value: {} }, y: { value: { a: 4 } } } },
      { a: 4 },
    ],
    ['is the example of the schema', { schema: { ...schema, example: { a: 5 } } }, { a: 5 }],
    ['is the first example of the schema', { schema: { ...schema, examples: [{ a: 6 }] } }, { a: 6 }],
    ['is the default of the schema', { schema: { ...schema, default: { a: 7 } } }, { a: 7 }],
    [
      'is put together',
      { schema: { ...schema, properties: { a: { type: 'integer', examples: [8] } } } },
      { a: 8 },
    ],
    [
      'is put together from parts',
      { schema: { allOf: [schema, { properties: { a: { const: 9 } } }] } },
      { a: 9 },
    ],
    ['is any example where the schema is open', { schema: {}, example: 'x' }, 'x'],
    ['is nothing that violates the schema', { schema, example: { a: 'x' } }, undefined],
    ['is nothing where there is no example', { schema }, undefined],
  ])('%s', (_name, mediaType, body) => {
    expect(suggestedBody(withMediaType(mediaType), operation)).toEqual(body);
  });

  it('is nothing for an operation that is not described', () => {
    expect(suggestedBody(withMediaType({}), operationForTests({ path: '/api/v1/x' }))).toBeUndefined();
  });

  it('ends where a schema contains itself', () => {
    const thing = {
      type: 'object',
      required: ['a'],
      properties: { a: { $ref: '#/components/schemas/Thing' } },
    };
    expect(suggestedBody(compileDocument(documentWithThing(thing)), operation)).toBeUndefined();
  });
});

const read = operationForTests({
  id: 'getThing',
  method: 'GET',
  path: '/api/v1/things/{sessionId}',
  pathParameters: ['sessionId'],
});

function withParameter(parameter: Members, own = true): ReturnType<typeof compileDocument> {
  const parameters = [{ name: 'thing', in: 'path', required: true, ...parameter }];
  const item = own ? { get: { parameters } } : { parameters, get: {} };
  return compileDocument(documentOf({ openapi: '3.1.0', paths: { '/api/v1/things/{thing}': item } }));
}

describe('a suggested parameter', () => {
  it.each([
    ['is the example', { example: 'x' }, 'x'],
    ['is one of the examples', { examples: { one: { value: 'y' } } }, 'y'],
    ['is the example of the schema', { schema: { type: 'string', examples: ['z'] } }, 'z'],
    ['is a number as text', { example: 7 }, '7'],
    [
      'is nothing that violates the schema',
      { example: 'x', schema: { type: 'string', minLength: 2 } },
      undefined,
    ],
    ['is nothing that is no text', { example: ['x'] }, undefined],
  ])('%s', (_name, parameter, value) => {
    expect(suggestedParameter(withParameter(parameter), read, 'sessionId')).toBe(value);
    expect(suggestedParameter(withParameter(parameter, false), read, 'sessionId')).toBe(value);
  });
});

describe('a suggested capture', () => {
  it.each([
    ['by operationId', { operationId: 'theirs', parameters: { thing: '$response.body#/a/b~1c' } }, '/a/b~1c'],
    [
      'by reference',
      {
        operationRef: '#/paths/~1api~1v1~1things~1%7Bthing%7D/get',
        parameters: { 'path.thing': '$response.body#/id' },
      },
      '/id',
    ],
    ['in braces', { operationId: 'theirs', parameters: { thing: '{$response.body#/id}' } }, '/id'],
    [
      'but not from a header',
      { operationId: 'theirs', parameters: { thing: '$response.header.location' } },
      undefined,
    ],
    [
      'but not for another operation',
      { operationId: 'createThing', parameters: { thing: '$response.body#/id' } },
      undefined,
    ],
  ])('%s', (_name, link, pointer) => {
    const compiled = compileDocument(
      documentOf({
        openapi: '3.1.0',
        paths: {
          '/api/v1/things': {
            post: { operationId: 'createThing', responses: { '200': { links: { link } } } },
          },
          '/api/v1/things/{thing}': { get: { operationId: 'theirs' } },
        },
      }),
    );
    const capture = suggestedCapture(compiled, [operation, read], 'sessionId');
    expect(capture).toEqual(pointer === undefined ? undefined : { from: 'createThing', pointer });
  });
});

const text = { type: 'string' };
const texts = { type: 'array', items: text };

describe('a required query parameter', () => {
  it.each([
    ['an example', { schema: text, example: 'x' }, ['x'], { q: 'x' }],
    ['a default', { schema: { ...text, default: 'y' } }, ['y'], { q: 'y' }],
    ['a value of an enumeration', { schema: { enum: ['z', 'a'] } }, ['z', 'a'], { q: 'z' }],
    ['a referenced schema', { schema: { $ref: '#/components/schemas/Q' } }, ['w'], { q: 'w' }],
    ['a list with one name for each item', { schema: texts, example: ['a'] }, [['a']], { q: 'a' }],
    [
      'a list with commas',
      { schema: texts, explode: false, example: ['a', 'b'] },
      [['a', 'b']],
      { q: 'a,b' },
    ],
    [
      'a list with spaces',
      { schema: texts, style: 'spaceDelimited', example: ['a', 'b'] },
      [['a', 'b']],
      { q: 'a b' },
    ],
    ['a list made of its items', { schema: { ...texts, items: { enum: ['c'] } } }, [['c']], { q: 'c' }],
    ['an object', { schema: {}, style: 'deepObject', example: { a: 1 } }, [{ a: 1 }], { 'q[a]': '1' }],
    [
      'an object in parts',
      { schema: {}, example: { a: 1, b: true } },
      [{ a: 1, b: true }],
      { a: '1', b: 'true' },
    ],
    ['JSON', { content: { 'application/json': { example: { a: 1 } } } }, [{ a: 1 }], { q: '{"a":1}' }],
    [
      'no value that violates the schema',
      { schema: { ...text, minLength: 2 }, example: 'x' },
      ['x'],
      undefined,
    ],
    [
      'no list that a target file cannot hold',
      { schema: texts, example: ['a', 'b'] },
      [['a', 'b']],
      undefined,
    ],
  ])('takes %s', (_name, parameter, given, query) => {
    const listed = { name: 'q', in: 'query', required: true, ...parameter };
    for (const item of [
      { get: { parameters: [listed] } },
      { parameters: [listed], get: {} },
      { get: { parameters: [{ $ref: '#/components/parameters/Q' }] } },
    ]) {
      const compiled = compileDocument(
        documentOf({
          openapi: '3.1.0',
          paths: { '/api/v1/things/{thing}': item },
          components: { schemas: { Q: { ...text, examples: ['w'] } }, parameters: { Q: listed } },
        }),
      );
      const [required, ...others] = requiredQuery(compiled, read);
      expect(others).toEqual([]);
      expect(required?.given).toEqual(given);
      expect(required?.write(given[0])).toEqual(query);
    }
  });

  it('has a plain value of its type where the document shows none', () => {
    for (const [schema, value] of [
      [text, 'conformance'],
      [{ type: ['string', 'null'] }, 'conformance'],
      [texts, ['conformance']],
    ] as const) {
      const parameters = [{ name: 'q', in: 'query', required: true, schema }];
      const paths = { '/api/v1/things/{thing}': { get: { parameters } } };
      const [required] = requiredQuery(compileDocument(documentOf({ openapi: '3.1.0', paths })), read);
      expect(required?.given).toEqual([]);
      expect(required?.madeUp).toEqual([value]);
    }
  });

  it('is none that an operation makes optional', () => {
    const parameter = { name: 'q', in: 'query', required: true, schema: text };
    const item = { parameters: [parameter], get: { parameters: [{ ...parameter, required: false }] } };
    const compiled = compileDocument(
      documentOf({ openapi: '3.1.0', paths: { '/api/v1/things/{thing}': item } }),
    );
    expect(requiredQuery(compiled, read)).toEqual([]);
  });
});

const madeUp = (schema: Members): unknown =>
  madeUpBody(compileDocument(documentWithThing(schema)), operationForTests());

const objectOf = (properties: Members): Members => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

test('satisfies the schema with values that mean nothing', () => {
  const schema = objectOf({
    name: { type: 'string', minLength: 15, maxLength: 20 },
    short: { type: 'string', maxLength: 3 },
    back: { type: 'string', pattern: '^https?://' },
    url: { type: ['null', 'string'], format: 'uri' },
    channel: { enum: ['web', 'app'] },
    count: { type: 'integer', exclusiveMinimum: 4 },
    yes: { type: 'boolean' },
    rows: { type: 'array', minItems: 2, items: objectOf({ quantity: { type: 'integer', minimum: 3 } }) },
    either: { oneOf: [{ type: 'integer' }, { type: 'string' }] },
  });
  expect(madeUp(schema)).toEqual({
    name: 'conformance----',
    short: 'con',
    back: 'https://shop.example/return',
    url: 'https://shop.example/return',
    channel: 'web',
    count: 5,
    yes: true,
    rows: [{ quantity: 3 }, { quantity: 3 }],
    either: 1,
  });
});

test('leaves out what is optional, and takes the examples that there are', () => {
  expect(madeUp({ ...objectOf({ a: { type: 'string', examples: ['given'] } }) })).toEqual({ a: 'given' });
  expect(madeUp({ type: 'object', properties: { a: { type: 'string' } } })).toEqual({});
});

test.each([
  ['a pattern', objectOf({ code: { type: 'string', pattern: '^[A-Z]{3}-\\d+$' } })],
  ['a schema that contains itself', objectOf({ thing: { $ref: '#/components/schemas/Thing' } })],
])('is undefined where it cannot satisfy %s', (_, schema) => {
  expect(madeUp(schema)).toBeUndefined();
});
