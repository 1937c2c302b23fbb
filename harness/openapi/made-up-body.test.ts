import { expect, test } from 'vitest';
import type { Members } from '../model/supplied-document.ts';
import { compileDocument } from './compile-document.ts';
import { documentWithThing, operationForTests } from './document-for-tests.ts';
import { madeUpBody } from './example-values.ts';

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
