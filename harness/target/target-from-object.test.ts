import { describe, expect, it } from 'vitest';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { contractForTests } from './contract-for-tests.ts';
import { targetFromObject } from './target-from-object.ts';

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
