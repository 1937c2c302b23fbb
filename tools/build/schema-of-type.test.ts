import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Schema, schemaOfType } from './schema-of-type.ts';

/** The schema of `Subject` in a text of TypeScript, without `$defs` where it has none. */
function schemaOf(text: string, other = ''): Schema {
  const folder = mkdtempSync(join(tmpdir(), 'types-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'subject.ts'), text);
  writeFileSync(join(folder, 'other.ts'), other);
  const { $defs, ...schema } = schemaOfType('Subject', join(folder, 'subject.ts'), { Any: {} });
  return Object.keys($defs as object).length === 0 ? schema : { ...schema, $defs };
}

const closed = (properties: object, required = Object.keys(properties)): object => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

test.each([
  ['string', { type: 'string' }],
  ["'a' | 'b'", { type: 'string', enum: ['a', 'b'] }],
  ['string | null', { type: ['string', 'null'] }],
  ['string | readonly boolean[]', { type: ['string', 'array'], items: { type: 'boolean' } }],
  ['-1', { const: -1 }],
  ['readonly Any[]', { type: 'array', items: {} }],
  ['readonly [a: number, b: number]', { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 }],
  ['Readonly<Record<string, number>>', { type: 'object', additionalProperties: { type: 'number' } }],
  [
    "Partial<Record<'a' | 'b', number>>",
    {
      type: 'object',
      propertyNames: { type: 'string', enum: ['a', 'b'] },
      additionalProperties: { type: 'number' },
    },
  ],
  [
    '{ a?: string; b: number | undefined; c: true }',
    closed({ a: { type: 'string' }, b: { type: 'number' }, c: { const: true } }, ['c']),
  ],
  [
    '{ a: string; [name: string]: string }',
    { ...closed({ a: { type: 'string' } }), additionalProperties: { type: 'string' } },
  ],
])('the schema of %s', (type, schema) => {
  expect(schemaOf(`type Subject = ${type};`)).toEqual(schema);
});

test('parts of other types', () => {
  const other =
    'export interface Whole { readonly a: string; readonly b: { readonly c: number }; readonly d: 1 }';
  const part = (type: string): Schema =>
    schemaOf(
      `import type { Whole } from './other.ts';\ntype Names = 'a' | 'b';\ntype Subject = ${type};`,
      other,
    );
  expect(part("Pick<Whole, 'd'> & { e: 2 }")).toEqual(closed({ d: { const: 1 }, e: { const: 2 } }));
  expect(part('Omit<Whole, Names>')).toEqual(closed({ d: { const: 1 } }));
  expect(part("Whole['b']")).toEqual(closed({ c: { type: 'number' } }));
});

test('comments describe, and their tags are keywords', () => {
  const text = `
    /** A name. @minLength 1 */
    type Name = string;
    /** The subject. */
    interface Subject {
      readonly plain: Name;
      /**
       * Its own,
       * in two lines.
       * @pattern ^@[a-z]+$
       * @example @me
       */
      readonly own: Name;
    }`;
  expect(schemaOf(text)).toMatchObject({
    description: 'The subject.',
    properties: {
      plain: { type: 'string', minLength: 1, description: 'A name.' },
      own: { minLength: 1, description: 'Its own, in two lines.', pattern: '^@[a-z]+$' },
    },
  });
});

test('interfaces are definitions, also those that hold themselves', () => {
  const text =
    'interface Base { readonly a: 1 }\ninterface Node extends Base { readonly child?: Node }\ntype Subject = readonly Node[];';
  expect(schemaOf(text)).toEqual({
    type: 'array',
    items: { $ref: '#/$defs/node' },
    $defs: { node: closed({ a: { const: 1 }, child: { $ref: '#/$defs/node' } }, ['a']) },
  });
});

test('a member that one of two interfaces requires tells them apart', () => {
  const schema = schemaOf(
    'interface A { readonly a: 1 }\ninterface B { readonly b: 1 }\ntype Subject = A | B;',
  );
  expect(schema).toMatchObject({
    if: { required: ['a'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { $ref: '#/$defs/a' },
    else: { $ref: '#/$defs/b' },
  });
});

test.each(['Map<string, string>', 'string | { a: 1 } | Any', '[string, number]', 'never'])(
  'refuses %s',
  (type) => {
    expect(() => schemaOf(`type Subject = ${type};`)).toThrow(/subject\.ts/);
  },
);
