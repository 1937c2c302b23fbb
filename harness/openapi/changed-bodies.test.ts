import { describe, expect, it } from 'vitest';
import { type ChangedBody, schemaViolations } from './changed-bodies.ts';
import { compileDocument } from './compile-document.ts';
import { documentWithThing, operationForTests } from './document-for-tests.ts';
import { SchemaRules } from './schema-rules.ts';

const operation = operationForTests();

function violate(thing: unknown, valid: unknown, limit = 50): readonly ChangedBody[] {
  const compiled = compileDocument(documentWithThing(thing));
  const schema = compiled.requestSchema(operation) ?? expect.fail();
  const validate = compiled.requestValidator(operation) ?? expect.fail();
  expect(validate(valid)).toEqual({ ok: true });
  const violations = schemaViolations(new SchemaRules([schema]), valid, validate, limit);
  for (const { value } of violations) expect(validate(value).ok).toBe(false);
  return violations;
}

describe('the violations of a schema', () => {
  it.each([
    ['required', { required: ['a'] }, { a: 1, b: 1 }, 'without /a'],
    ['type', { properties: { a: { type: 'string' } } }, { a: 'x' }, '/a as an object'],
    ['type of the whole', { type: 'object' }, {}, 'the body as an array'],
    ['enum', { properties: { a: { enum: ['x', 'y'] } } }, { a: 'x' }, '/a with a value that is not listed'],
    ['nothing that may be null', { properties: { a: { type: 'string' } } }, { a: 'x' }, '/a as null'],
    [
      'type, as a lenient reader would not',
      { properties: { a: { type: 'number' } } },
      { a: 1 },
      '/a as itself in quotes',
    ],
    [
      'type of a text, as where all is turned into one',
      { properties: { a: { type: 'string' } } },
      { a: 'x' },
      '/a as true',
    ],
    [
      'type of a number, as where true is one',
      { properties: { a: { type: 'integer' } } },
      { a: 1 },
      '/a as true',
    ],
    [
      'nothing that may be null, of a member that is not there',
      { properties: { a: { type: 'string' } } },
      {},
      'with /a as null',
    ],
    [
      'enum, of a member that is not there',
      { properties: { a: { enum: ['x'] } } },
      {},
      'with /a that is not listed',
    ],
    [
      'type, of a member that is not there',
      { properties: { a: { type: 'object' } } },
      {},
      'with /a of another type',
    ],
    ['minimum from below nought', { properties: { a: { minimum: 1 } } }, { a: 1 }, '/a below nought'],
    ['const', { properties: { a: { const: 1 } } }, { a: 1 }, '/a with a value that is not listed'],
    [
      'pattern',
      { properties: { a: { pattern: '^https?://' } } },
      { a: 'http://x' },
      '/a against its pattern',
    ],
    ['minLength', { properties: { a: { minLength: 1 } } }, { a: 'x' }, '/a too short'],
    ['maxLength', { properties: { a: { maxLength: 3 } } }, { a: 'x' }, '/a too long'],
    ['minimum', { properties: { a: { minimum: 1 } } }, { a: 1 }, '/a too small'],
    ['exclusiveMaximum', { properties: { a: { exclusiveMaximum: 9 } } }, { a: 1 }, '/a too large'],
    ['integer', { properties: { a: { type: 'integer' } } }, { a: 1 }, '/a with a fraction'],
    ['multipleOf', { properties: { a: { multipleOf: 5 } } }, { a: 10 }, '/a between two steps'],
    ['minItems', { properties: { a: { minItems: 1 } } }, { a: [1] }, '/a with too few items'],
    ['maxItems', { properties: { a: { maxItems: 2 } } }, { a: [1] }, '/a with too many items'],
    ['uniqueItems', { properties: { a: { uniqueItems: true } } }, { a: [1] }, '/a with an item twice'],
    [
      'additionalProperties',
      { properties: { a: {} }, additionalProperties: false },
      { a: 1 },
      'the body with a member of no meaning',
    ],
    ['items', { properties: { a: { items: { required: ['b'] } } } }, { a: [{ b: 1 }] }, 'without /a/0/b'],
    ['allOf', { allOf: [{ properties: { a: { maxLength: 3 } } }] }, { a: 'x' }, '/a too long'],
    ['anyOf', { anyOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 1 }, 'without /a'],
  ])('break %s', (_name, thing, valid, id) => {
    expect(violate(thing, valid).map((violation) => violation.id)).toContain(id);
  });

  it('are made in one place each, and leave alone what the schema does not say', () => {
    expect(violate({ required: ['a'] }, { a: 1, b: 2 })).toEqual([{ id: 'without /a', value: { b: 2 } }]);
    expect(
      violate({ properties: { a: { format: 'uuid' } } }, { a: '00000000-0000-4000-8000-000000000000' }),
    ).toEqual([]);
  });

  it('are no null where the schema allows it', () => {
    const ids = violate({ properties: { a: { type: ['string', 'null'] } } }, {}).map(({ id }) => id);
    expect(ids).not.toContain('with /a as null');
  });

  it('are of every kind where there are many, and always the same', () => {
    const names = Array.from({ length: 20 }, (_none, index) => `m${index}`);
    const thing = {
      required: names,
      properties: Object.fromEntries(
        names.map((name) => [name, { type: 'string', maxLength: 5, enum: ['x'] }]),
      ),
      additionalProperties: false,
    };
    const valid = Object.fromEntries(names.map((name) => [name, 'x']));
    const ids = violate(thing, valid, 12).map(({ id }) => id);
    expect(ids).toHaveLength(12);
    for (const kind of ['without', 'as an object', 'as null', 'not listed', 'too long', 'no meaning']) {
      expect(ids.some((id) => id.includes(kind))).toBe(true);
    }
    expect(violate(thing, valid, 12).map(({ id }) => id)).toEqual(ids);
  });
});
