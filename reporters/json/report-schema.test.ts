import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../spec/package-root.ts';

interface Schema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const file = JSON.parse(readFileSync(join(packageRoot, 'spec/report.schema.json'), 'utf8')) as {
  readonly $defs: Readonly<Record<string, Schema>>;
};

test.each(Object.entries(file.$defs))('%s is described', (_, schema) => {
  expect(schema.description).toBeTruthy();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    expect(property.description, name).toBeTruthy();
  }
});

test.each(Object.entries(file.$defs).filter(([, { type }]) => type === 'object'))(
  '%s is closed',
  (_, schema) => {
    expect(schema.additionalProperties).toBe(false);
    expect(Object.keys(schema.properties ?? {})).toEqual(
      expect.arrayContaining([...(schema.required ?? [])]),
    );
  },
);
