import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../spec/package-root.ts';
import type { TargetDescription } from './target-description.ts';

interface ObjectSchema {
  readonly properties: Readonly<Record<string, ObjectSchema>>;
}

const schema = JSON.parse(
  readFileSync(join(packageRoot, 'spec', 'target.schema.json'), 'utf8'),
) as ObjectSchema;

const description: Record<keyof TargetDescription, true> = {
  baseUrl: true,
  authorization: true,
  keys: true,
  headers: true,
  parameters: true,
  query: true,
  bodies: true,
  captures: true,
  exclude: true,
  values: true,
  checks: true,
  options: true,
};

test('the type has the keys of the schema', () => {
  const known = Object.keys(schema.properties).filter((name) => name !== '$schema');
  expect(Object.keys(description).sort()).toEqual(known.sort());
});
