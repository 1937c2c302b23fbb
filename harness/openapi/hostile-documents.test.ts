import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { bundleDocument } from './bundle-document.ts';
import { compileDocument } from './compile-document.ts';
import { documentWithThing, operationForTests } from './document-for-tests.ts';
import { madeUpBody } from './example-values.ts';
import { locateSource, readSource } from './read-source.ts';

const operation = operationForTests();
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

function compiledThing(thing: unknown, schemas: Readonly<Record<string, unknown>> = {}) {
  return compileDocument(documentWithThing(thing, '3.1.0', schemas));
}

describe('a hostile pattern', () => {
  it('is held against a long text without backtracking', () => {
    const compiled = compiledThing({ type: 'string', pattern: '^([a-zA-Z0-9_ -]+)+$' });
    const validate = compiled.requestValidator(operation) ?? expect.fail('no validator');
    expect(validate(`${'a'.repeat(5_000)}!`).ok).toBe(false);
    expect(validate('a b').ok).toBe(true);
  });
});

describe('a document that explodes', () => {
  it.each([
    ['a huge list', { type: 'array', items: {}, minItems: 50_000_000 }],
    ['a huge text', { type: 'string', minLength: 5_000_000_000 }],
    ['a huge object', { type: 'object', minProperties: 50_000_000 }],
  ])('%s is not made up', (_what, thing) => {
    const compiled = compiledThing(thing);
    expect(compiled.requestValidator(operation)?.(madeUpBody(compiled, operation)).ok ?? false).toBe(false);
  });

  it('says what it leaves unchecked where it offers hundreds of alternatives', () => {
    const oneOf = Array.from({ length: 300 }, (_, at) => ({
      type: 'object',
      required: [`m${at}`],
      properties: { [`m${at}`]: { type: 'string' } },
      additionalProperties: false,
    }));
    expect(compiledThing({ oneOf }).requestValidator(operation)?.unchecked).toEqual([
      'that only one of the 300 alternatives at /components/schemas/Thing matches',
    ]);
  });
});

describe('a part of a schema that cannot be checked', () => {
  it('is named by its validator', () => {
    const thing = { type: 'object', properties: { code: { $ref: '#/components/schemas/Code' } } };
    const validate = compiledThing(thing, { Code: { type: 'string', pattern: '^(a)\\1$' } }).requestValidator(
      operation,
    );
    expect(validate?.({ code: 'b' })).toEqual({ ok: true });
    expect(validate?.unchecked).toEqual(['the pattern ^(a)\\1$ at /components/schemas/Code']);
  });

  it('is not an example, nor a pattern that can be matched', () => {
    const thing = { type: 'string', pattern: '^[\\w-.]+$', examples: [{ pattern: '(?=a)b' }] };
    const validate = compiledThing(thing).requestValidator(operation);
    expect(validate?.('a-b').ok).toBe(true);
    expect(validate?.('a b').ok).toBe(false);
    expect(validate?.unchecked).toEqual([]);
  });
});

describe('schemas that multiply', () => {
  function doubling(levels: number, combine: (reference: unknown) => unknown): Record<string, unknown> {
    const schemas: Record<string, unknown> = { [`S${levels}`]: { type: 'object', required: ['a'] } };
    for (let at = 0; at < levels; at += 1)
      schemas[`S${at}`] = combine({ $ref: `#/components/schemas/S${at + 1}` });
    return schemas;
  }

  it.each(['allOf', 'anyOf', 'oneOf'])('by two references in %s are reported', (keyword) => {
    const schemas = doubling(60, (reference) => ({ [keyword]: [reference, reference] }));
    const compiled = compiledThing({ $ref: '#/components/schemas/S0' }, schemas);
    expect(compiled.requestValidator(operation)).toBeUndefined();
    expect([...compiled.unusable.values()].map(({ reason }) => reason)).toEqual([
      expect.stringContaining('combines so many others'),
    ]);
  });

  it('with the depth of a body do not stop the run', () => {
    const schemas = doubling(60, (reference) => ({
      type: 'object',
      properties: { a: { allOf: [reference, reference] } },
    }));
    const validate = compiledThing({ $ref: '#/components/schemas/S0' }, schemas).requestValidator(operation);
    let body: unknown = { a: 1 };
    for (let at = 0; at < 60; at += 1) body = { a: body };
    expect(validate?.(body)).toEqual({ ok: true, unfinished: true });
    expect(validate?.({ a: { a: {} } }).ok).toBe(true);
  });
});

describe('a chain of references', () => {
  function chain(length: number): Record<string, unknown> {
    const schemas: Record<string, unknown> = { [`S${length}`]: { type: 'string' } };
    for (let at = 0; at < length; at += 1) schemas[`S${at}`] = { $ref: `#/components/schemas/S${at + 1}` };
    return schemas;
  }

  it.each([40, 260, 5_000])('of %i is followed to its end', (length) => {
    const compiled = compiledThing({ $ref: '#/components/schemas/S0' }, chain(length));
    expect(compiled.requestValidator(operation)?.('text').ok).toBe(true);
    expect(compiled.requestValidator(operation)?.(1).ok).toBe(false);
    expect(compiled.unusable.size).toBe(0);
  });

  it('that comes back to itself is said to do so', () => {
    const loop = { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } };
    const compiled = compiledThing({ $ref: '#/components/schemas/A', type: 'string' }, loop);
    compiled.requestValidator(operation);
    expect([...compiled.unusable.values()].map(({ reason }) => reason)).toEqual([
      'the schema refers to itself without end',
    ]);
  });
});

describe('a reference that names no file', () => {
  it.each(['%E0%A4%A.json', 'a%2fb.json', 'file://host/share/x.json', 'a%00b.json'])(
    '%s is refused with a message',
    async (reference) => {
      const folder = await mkdtemp(join(tmpdir(), 'hostile-documents-'));
      folders.push(folder);
      const file = join(folder, 'openapi.json');
      await writeFile(
        file,
        JSON.stringify({ openapi: '3.1.0', components: { schemas: { A: { $ref: reference } } } }),
      );
      const bundled = readSource(locateSource(file)).then(bundleDocument);
      await expect(bundled).rejects.toThrow(UsageError);
    },
  );
});
