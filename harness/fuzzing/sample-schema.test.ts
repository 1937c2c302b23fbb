import { describe, expect, test } from 'vitest';
import type { Members } from '../model/supplied-document.ts';
import { compileDocument, type SchemaValidator } from '../openapi/compile-document.ts';
import { documentWithThing, operationForTests } from '../openapi/document-for-tests.ts';
import type { Place } from '../openapi/follow-references.ts';
import { sampleSchema } from './sample-schema.ts';

const operation = operationForTests();

const money = {
  type: 'object',
  required: ['amount', 'currency'],
  additionalProperties: false,
  properties: {
    amount: { type: 'number', minimum: 0, maximum: 1000, multipleOf: 0.01 },
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
  },
};
const tree = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 8 },
    children: { type: 'array', items: { $ref: '#/components/schemas/Thing' }, maxItems: 3 },
  },
};

const schemas: ReadonlyArray<readonly [name: string, schema: object, version: string]> = (
  [
    ['an object with optional members', money],
    ['a tree of itself', tree],
    [
      'a list that ends in null',
      {
        type: 'object',
        required: ['value', 'next'],
        properties: {
          value: { type: 'integer' },
          next: { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/Thing' }] },
        },
      },
    ],
    ['types in a list', { type: ['string', 'null', 'integer'], maxLength: 5, minimum: 3 }],
    [
      'parts of one object',
      {
        allOf: [
          { type: 'object', required: ['a'], properties: { a: { type: 'string', minLength: 2 } } },
          { required: ['b'], properties: { b: { const: 7 }, a: { maxLength: 4 } } },
        ],
      },
    ],
    [
      'one of two that exclude each other',
      {
        type: 'object',
        required: ['kind'],
        oneOf: [
          {
            properties: { kind: { const: 'card' }, number: { type: 'string', pattern: '^\\d{16}$' } },
            required: ['number'],
          },
          {
            properties: { kind: { const: 'bank' }, iban: { type: 'string', minLength: 15, maxLength: 34 } },
            required: ['iban'],
          },
        ],
      },
    ],
    [
      'any of several',
      {
        anyOf: [
          { type: 'integer', exclusiveMinimum: 3, exclusiveMaximum: 5 },
          { type: 'boolean' },
          { enum: ['x', null, 4] },
        ],
      },
    ],
    [
      'formats',
      {
        type: 'object',
        required: ['at', 'day', 'id', 'link', 'mail'],
        properties: {
          at: { type: 'string', format: 'date-time' },
          day: { type: 'string', format: 'date' },
          id: { type: 'string', format: 'uuid' },
          link: { type: 'string', format: 'uri' },
          mail: { type: 'string', format: 'email' },
          size: { type: 'integer', format: 'int32' },
        },
      },
    ],
    [
      'a tuple',
      {
        type: 'array',
        prefixItems: [{ type: 'string' }, { type: 'number' }],
        items: { type: 'boolean' },
        minItems: 2,
        maxItems: 4,
      },
    ],
    [
      'items that are unique',
      { type: 'array', items: { type: 'integer', minimum: 1, maximum: 9 }, minItems: 2, uniqueItems: true },
    ],
    [
      'a map',
      {
        type: 'object',
        additionalProperties: { type: 'integer', minimum: 0 },
        minProperties: 1,
        maxProperties: 4,
      },
    ],
    ['numbers far out', { type: 'integer', minimum: 1e12, multipleOf: 1000 }],
    ['what a schema is not', { type: 'string', minLength: 1, maxLength: 12, not: { pattern: '^a' } }],
    ['letters beyond the first plane', { type: 'string', minLength: 3, maxLength: 3 }],
    [
      'null in the words of 3.0',
      {
        type: 'object',
        required: ['a'],
        properties: {
          a: { type: 'string', nullable: true },
          b: { type: 'number', minimum: 0, exclusiveMinimum: true },
        },
      },
      '3.0.3',
    ],
  ] as ReadonlyArray<readonly [string, object, string?]>
).map(([name, schema, version = '3.1.0']) => [name, schema, version]);

describe('what is made up from a schema', () => {
  test.each(schemas)('%s', (_name, schema, version) => {
    const { content, place, validate } = prepared(schema, version);
    const values = sampleSchema(content, place, validate, { seed: 1, count: 2_000 });
    expect(values).toHaveLength(2_000);
    expect(values.filter((value) => !validate(value).ok)).toEqual([]);
    // Nor does it make up the same thing again and again.
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBeGreaterThan(3);
  });

  test('is the same at the same seed', () => {
    const { content, place, validate } = prepared(money);
    const sample = (seed: number): unknown => sampleSchema(content, place, validate, { seed, count: 20 });
    expect(sample(7)).toEqual(sample(7));
    expect(sample(7)).not.toEqual(sample(8));
  });

  test.each([
    ['a member that nobody can give', { type: 'object', required: ['a'], properties: { a: false } }],
    [
      'itself without end',
      { type: 'object', required: ['a'], properties: { a: { $ref: '#/components/schemas/Thing' } } },
    ],
    ['more than its pattern allows', { type: 'string', pattern: '^a$', minLength: 5 }],
  ])('is nothing where the schema asks for %s', (_name, schema) => {
    const { content, place, validate } = prepared(schema);
    expect(sampleSchema(content, place, validate, { seed: 1, count: 10 })).toEqual([]);
  });
});

function prepared(
  schema: object,
  version = '3.1.0',
): { content: Members; place: Place; validate: SchemaValidator } {
  const compiled = compileDocument(documentWithThing(schema, version));
  const place = compiled.requestSchema(operation);
  const validate = compiled.requestValidator(operation);
  if (place === undefined || validate === undefined) throw new Error('the schema is not usable');
  return { content: compiled.content, place, validate };
}
