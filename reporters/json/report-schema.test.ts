import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../spec/package-root.ts';

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const report = JSON.parse(readFileSync(join(packageRoot, 'spec/report.schema.json'), 'utf8')) as Schema;

/** The parts of a schema without a description of their own, or of the type that they refer to. */
function undescribed({ $ref, description, properties = {}, items }: Schema, name: string): readonly string[] {
  const members = Object.entries(properties).flatMap(([key, one]) => undescribed(one, `${name}/${key}`));
  const isDescribed = (description ?? $ref ?? items?.$ref) !== undefined;
  return [...(isDescribed ? [] : [name]), ...members];
}

test('every member of a report is described', () => {
  const types = Object.entries({ report, ...report.$defs });
  expect(types.flatMap(([name, schema]) => undescribed(schema, name))).toEqual([]);
});
