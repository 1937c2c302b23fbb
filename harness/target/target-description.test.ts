import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { loadContract } from '../../spec/contract.ts';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { contractForTests } from './contract-for-tests.ts';
import { targetFromObject } from './target-description.ts';

const schema = JSON.parse(readFileSync(join(packageRoot, 'spec', 'target.schema.json'), 'utf8'));

describe('spec/target.schema.json', () => {
  it('is a JSON Schema', () => {
    expect(() => new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema)).not.toThrow();
  });

  it('names the parameters and bodies of the contract', async () => {
    const { operations } = await loadContract();
    const parameters = new Set(operations.flatMap(({ pathParameters }) => pathParameters));
    const bodies = operations.filter(({ requestSchema }) => requestSchema !== undefined).map(({ id }) => id);
    expect(Object.keys(schema.properties.parameters.properties).sort()).toEqual([...parameters].sort());
    expect(Object.keys(schema.properties.bodies.properties).sort()).toEqual(bodies.sort());
  });

  it('describes every property, so that editors help', () => {
    expect(undescribed(schema, '#')).toEqual([]);
  });

  it('knows the creator of a session from the contract', async () => {
    const description = { baseUrl: 'http://h', captures: { sessionId: '/id' } };
    expect(targetFromObject(description, 'test', await loadContract()).captures).toEqual({
      sessionId: { from: ids.create, pointer: '/id' },
    });
  });
});

function undescribed(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const below = undescribed(item, `${path}/${name}`);
    if (!path.endsWith('/properties')) return below;
    return 'description' in item || '$ref' in item ? below : [`${path}/${name}`, ...below];
  });
}

const read = (object: unknown, env?: Record<string, string>) =>
  targetFromObject(object, 'embedded service', contractForTests, env);

describe('targetFromObject', () => {
  it('reads the file format, and leaves $ alone where no environment is given', () => {
    const description = { baseUrl: 'http://127.0.0.1:1/', keys: { scoped: `\${KEY}`, unscoped: undefined } };
    expect(read(description)).toMatchObject({ baseUrl: 'http://127.0.0.1:1', keys: { scoped: `\${KEY}` } });
    expect(read(description, { KEY: 'k' }).keys).toEqual({ scoped: 'k' });
  });

  it.each([
    [null, 'embedded service: the target description is empty'],
    [{}, 'embedded service (baseUrl): baseUrl is missing'],
    [{ baseUrl: 'http://h', parameters: { slug: 42 } }, "quote it: '42'"],
    [{ baseUrl: 'http://h', bodies: { [ids.initiate]: new Date() } }, 'cannot be written in JSON'],
    [{ baseUrl: 'http://h', bodies: { constructor: {} } }, 'unknown operation "constructor"'],
    [{ baseUrl: 'http://h', options: { constructor: 1 } }, 'unknown key options.constructor'],
    [JSON.parse('{ "baseUrl": "http://h", "__proto__": {} }'), 'unknown key __proto__'],
  ])('refuses %j', (object, part) => {
    expect(() => read(object)).toThrow(part);
  });
});
