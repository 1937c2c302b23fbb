import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, onTestFinished, test } from 'vitest';
import { compileSchema, readSchema } from './json-schema.ts';
import { packageRoot } from './package-root.ts';

function schemaFile(schema: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'schema-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'a.schema.json');
  writeFileSync(file, JSON.stringify(schema));
  return file;
}

test('hands back the value that conforms', () => {
  const validate = compileSchema<{ at: string }>(schemaFile({ properties: { at: { format: 'date-time' } } }));
  const value = { at: '2026-01-01T00:00:00Z' };
  expect(validate(value)).toEqual({ ok: true, value });
});

test('reports every error, formats included', () => {
  const validate = compileSchema(
    schemaFile({ properties: { at: { format: 'date-time' }, n: { type: 'integer' } } }),
  );
  const result = validate({ at: 'yesterday', n: 'x' });
  expect(result.ok ? [] : result.errors.map((error) => error.instancePath)).toEqual(['/at', '/n']);
});

test('keeps the errors of one value when another is validated', () => {
  const validate = compileSchema(schemaFile({ type: 'integer' }));
  const first = validate('x');
  validate(1);
  expect(first).toMatchObject({ ok: false, errors: [{ keyword: 'type' }] });
});

test('refuses a keyword that does not exist', () => {
  const file = schemaFile({ requierd: ['a'] });
  expect(() => compileSchema(file)).toThrow(/requierd/);
});

test.each(readdirSync(join(packageRoot, 'spec')).filter((name) => name.endsWith('.schema.json')))(
  '%s is a valid schema',
  (file) => {
    const ajv = new Ajv2020();
    addFormats.default(ajv);
    ajv.validateSchema(readSchema(file));
    expect(ajv.errors ?? []).toEqual([]);
    expect(compileSchema(file)).toBeTypeOf('function');
  },
);
