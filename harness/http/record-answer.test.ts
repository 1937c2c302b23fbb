import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { exampleExchange } from '../checks/example-exchange.ts';
import { SecretRegister } from '../evidence/secret-register.ts';
import { keptCharacters, misstatedBody, parseAnswerBody, recordAnswer, recordBody } from './record-answer.ts';

const content = Buffer.from(JSON.stringify({ slug: 'wäsche', list: Array(50).fill('linen') }));
const none = new SecretRegister();

function registerOf(...secrets: readonly string[]): SecretRegister {
  const register = new SecretRegister();
  for (const secret of secrets) register.add(secret, 'key');
  return register;
}

describe('recordBody', () => {
  it('keeps a text whole', () => {
    expect(recordBody(content, none)).toEqual({
      text: content.toString(),
      encoding: 'utf-8',
      bytes: content.length,
      truncated: false,
      json: 'object',
    });
  });

  it('keeps a byte order mark', () => {
    const body = recordBody(Buffer.from('\uFEFF{}'), none);
    expect(body).toMatchObject({ text: '\uFEFF{}', bytes: 5, json: 'object' });
  });

  it('keeps bytes that are not UTF-8 in base64', () => {
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
    expect(recordBody(bytes, none)).toEqual({
      text: bytes.toString('base64'),
      encoding: 'base64',
      bytes: 4,
      truncated: false,
      json: 'malformed',
    });
  });

  it.each([
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['latin1', [0x22, 0xe4, 0x22]],
  ])('does not take %s for JSON in UTF-8', (_what, bytes) => {
    expect(recordBody(Buffer.from(bytes), none)).toMatchObject({ json: 'malformed', encoding: 'base64' });
  });

  it('keeps the beginning of a long body, and still says what the whole of it is', () => {
    const bytes = Buffer.from(JSON.stringify('a'.repeat(keptCharacters)));
    const body = recordBody(bytes, none);
    expect(body).toMatchObject({ truncated: true, json: 'string', bytes: bytes.length });
    expect(body.text).toHaveLength(keptCharacters);
  });

  it('keeps the members of a long object in a response, and no part of a secret', () => {
    const key = 'key-of-a-vendor-0123456789';
    const answer = {
      message: 'm'.repeat(490) + key + 'm'.repeat(keptCharacters),
      items: Array.from({ length: 5_000 }, (_, id) => ({ id, name: `item ${id}` })),
      code: key,
      deep: JSON.parse('[1]'.padStart(1_000, '[').padEnd(1_997, ']')) as unknown,
    };
    const body = Buffer.from(JSON.stringify(answer));
    const raw = {
      status: 400,
      headers: [],
      body,
      startedAt: 0,
      durationMs: 1,
      protocol: 'HTTP/1.1',
    } as const;
    const recorded = recordAnswer(raw, registerOf(key));
    const { response } = recorded;
    expect(response?.body).toMatchObject({ truncated: true, json: 'object', bytes: body.length });
    const kept = JSON.parse(response?.body.text ?? '') as typeof answer;
    expect(Object.keys(kept)).toEqual(['message', 'items', 'code', 'deep']);
    expect(kept.message).toMatch(/^m{490}<cut secret>…$/);
    expect(kept.code).toBe('<key>');
    expect(kept.items.slice(0, 2)).toEqual(answer.items.slice(0, 2));
    expect(misstatedBody({ ...exampleExchange({}), ...recorded })).toBeUndefined();
  });

  it('keeps all of a long object but the blanks, and reads its texts and numbers as they are', () => {
    const body = Buffer.from(`{ "a b" : "c  \\" d",\n"n": 1.0 }${' '.repeat(keptCharacters)}`);
    const raw = {
      status: 200,
      headers: [],
      body,
      startedAt: 0,
      durationMs: 1,
      protocol: 'HTTP/1.1',
    } as const;
    const recorded = recordAnswer(raw, none);
    expect(recorded.response?.body).toEqual({
      text: '{"a b":"c  \\" d","n":1.0}',
      ...{ encoding: 'utf-8', json: 'object', truncated: false, bytes: body.length },
    });
    expect(misstatedBody({ ...exampleExchange({}), ...recorded })).toBeUndefined();
  });

  it.each([
    ['text', 'x'.repeat(12_000_000)],
    ['escapes', '\\n'.repeat(4_000_000)],
  ])('keeps the beginning of a flood of %s', (_what, flood) => {
    const body = Buffer.from(`{"code":"known","flood":"${flood}"}`);
    const raw = {
      status: 400,
      headers: [],
      body,
      startedAt: 0,
      durationMs: 1,
      protocol: 'HTTP/1.1',
    } as const;
    const { response } = recordAnswer(raw, none);
    expect(response?.body.text).toHaveLength(keptCharacters);
    expect(response?.body.truncated).toBe(true);
  });

  it('keeps a body of exactly the limit whole', () => {
    const body = recordBody(Buffer.from('a'.repeat(keptCharacters)), none);
    expect(body.truncated).toBe(false);
  });

  it('cuts a long text of letters outside ASCII without inventing any', () => {
    const body = recordBody(Buffer.from('é'.repeat(keptCharacters + 1)), none);
    expect(body.text).toBe('é'.repeat(keptCharacters));
    expect(body.bytes).toBe(2 * (keptCharacters + 1));
  });

  it('takes nothing for JSON of which reading was given up', () => {
    expect(recordBody(Buffer.from('{}'), none, false)).toMatchObject({ json: 'malformed', truncated: true });
  });

  it('keeps a text readable that was given up in the middle of a letter', () => {
    const cut = Buffer.from('{"name":"Wäsche').subarray(0, 11);
    expect(recordBody(cut, none, false)).toMatchObject({
      encoding: 'utf-8',
      text: expect.stringContaining('{"name":"W'),
    });
  });
});

describe('secrets in a body', () => {
  const key = 'pk_Ab3dE6fGh9iJkLmN';

  it('are replaced in text', () => {
    expect(recordBody(Buffer.from(`{"key":"${key}"}`), registerOf(key))).toMatchObject({
      text: '{"key":"<key>"}',
      json: 'object',
      truncated: false,
    });
  });

  it('are replaced in bytes that are not UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from([0xff]), Buffer.from(key), Buffer.from([0xfe])]);
    const body = recordBody(bytes, registerOf(key));
    expect(Buffer.from(body.text, 'base64').toString('latin1')).toBe('\u00ff<key>\u00fe');
  });

  it('are replaced where reading was given up within them', () => {
    const body = recordBody(Buffer.from(`{"key":"${key.slice(0, 12)}`), registerOf(key), false);
    expect(body.text).toMatch(/^\{"key":"<(?:cut secret|part of key)>$/);
  });

  it('are replaced where the limit falls within them', () => {
    const text = `${'a'.repeat(keptCharacters - 3)}${key}`;
    const body = recordBody(Buffer.from(text), registerOf(key));
    expect(body.truncated).toBe(true);
    expect(body.text).not.toContain('pk_A');
  });

  it.each([
    ['a number', '12345', '{"id":12345}', { id: '<key>' }],
    ['part of a number', '12345', '{"id":9123456}', { id: '9<key>6' }],
    ['the name of a member', '12345', '{"12345":true}', { '<key>': true }],
    ['a number in a list', '12345', '[1,12345,[12345]]', [1, '<key>', ['<key>']]],
    ['a literal', 'true', '{"a":true,"b":"true"}', { a: '<key>', b: '<key>' }],
    ['a bare number', '12345', '12345', '<key>'],
    ['a number behind a byte order mark', '12345', '\uFEFF{"id":12345}', { id: '<key>' }],
  ])('leave JSON well-formed where the key stands as %s', (_what, secret, text, expected) => {
    const body = recordBody(Buffer.from(text), registerOf(secret));
    expect(JSON.parse(body.text)).toEqual(expected);
    expect(body.text).not.toContain(secret);
  });

  it('leave JSON well-formed where a key is written like null', () => {
    const body = recordBody(Buffer.from('{"a":null}'), registerOf('null'));
    expect(() => JSON.parse(body.text)).not.toThrow();
  });

  it.each([
    ['any letter', '{"key":"\\u0070k_Ab3dE6fGh9iJkLmN"}'],
    ['the underscore', '{"key":"pk\\u005FAb3dE6fGh9iJkLmN"}'],
  ])('are found in JSON that escapes %s', (_what, text) => {
    const body = recordBody(Buffer.from(text), registerOf(key));
    expect(JSON.stringify(JSON.parse(body.text))).not.toContain(key);
  });

  it('are removed where bytes that are not UTF-8 end within them', () => {
    const bytes = Buffer.concat([Buffer.from([0xff]), Buffer.from(key.slice(0, 10))]);
    const body = recordBody(bytes, registerOf(key), false);
    expect(Buffer.from(body.text, 'base64').toString('latin1')).not.toContain(key.slice(0, 8));
  });

  it('cannot be unpacked from bytes that stayed compressed', () => {
    const body = recordBody(gzipSync(`{"key":"${key}"}`), registerOf(key));
    const options = { finishFlush: constants.Z_SYNC_FLUSH };
    expect(gunzipSync(Buffer.from(body.text, 'base64'), options).toString()).not.toContain(key);
  });
});

const parsed = (text: string): unknown => parseAnswerBody(Buffer.from(text));
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('parseAnswerBody', () => {
  it('keeps all digits of large numbers, as text', () => {
    expect(parsed('{"id":90071992547409931,"count":12}')).toEqual({ id: '90071992547409931', count: 12 });
  });

  it('does not parse what is not JSON, nests too deep or is too large', () => {
    expect(parsed('<html>')).toBeUndefined();
    expect(parsed(nested(1_000))).toBeDefined();
    expect(parsed(nested(1_001))).toBeUndefined();
    expect(parsed(`"${'x'.repeat(1024 * 1024)}"`)).toBeUndefined();
  });
});
