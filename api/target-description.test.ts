import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../spec/package-root.ts';
import type { ConformanceSettings, TargetDescription } from './target-description.ts';

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

const settings: Record<keyof ConformanceSettings, true> = {
  spec: true,
  seed: true,
  profile: true,
  fuzzRuns: true,
  maxRequests: true,
  rate: true,
  concurrency: true,
  timeout: true,
  operation: true,
  check: true,
  readOnly: true,
  provokeRateLimit: true,
  strict: true,
  userAgent: true,
  specFindings: true,
  failIncomplete: true,
  baseline: true,
  ca: true,
  clientCert: true,
  clientKey: true,
  insecure: true,
  unixSocket: true,
  http2: true,
};

/** What concerns writing and the terminal, and what only the command can do. */
const forTheCommand = ['reportDir', 'format', 'noColor', 'quiet', 'certify', 'shard'];

test('the type has the keys of the schema', () => {
  const known = Object.keys(schema.properties).filter((name) => name !== '$schema');
  expect(Object.keys(description).sort()).toEqual(known.sort());
});

test('the type of the options has those of the schema, but for the ones of the command', () => {
  const known = Object.keys(schema.properties['options']?.properties ?? {});
  expect([...Object.keys(settings), ...forTheCommand].sort()).toEqual(known.sort());
});
