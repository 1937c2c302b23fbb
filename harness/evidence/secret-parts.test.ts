import { describe, expect, test } from 'vitest';
import { SecretRegister } from './secret-register.ts';

const key = 'pk_Zz2Uc5z9uvHogdjBwjTWLBk3PlBHVD7P';

function redact(text: string): string {
  const register = new SecretRegister();
  register.add(key, 'key');
  register.add(key.slice(0, 18), 'first half of the key');
  return register.redact(text);
}

describe('a part of a secret', () => {
  test.for(Array.from({ length: key.length - 11 }, (_, at) => at))(
    'of twelve characters from %i on goes',
    (at) => {
      expect(redact(`x${key.slice(at, at + 12)}.`)).toBe('x<part of key>.');
    },
  );

  test('goes wherever in a text it stands, and so does the whole', () => {
    for (let before = 0; before < 14; before += 1) {
      const around = '.'.repeat(before);
      expect(redact(`${around}${key}`)).toBe(`${around}<key>`);
      for (let at = 0; at + 12 <= key.length; at += 1) {
        expect(redact(`${around}${key.slice(at, at + 12)}`)).toBe(`${around}<part of key>`);
      }
    }
  });

  test('goes beside a key that is short', () => {
    const register = new SecretRegister();
    register.add(key, 'key');
    register.add('Ab3dE', 'other key');
    expect(register.redact(`${key.slice(5, 17)} ab3de`)).toBe('<part of key> <other key>');
    expect(register.redact('nothing but ab3de')).toBe('nothing but <other key>');
    expect(register.redact('nothing but ab3d')).toBe('nothing but ab3d');
  });

  test('of eleven characters stays, for others may share it', () => {
    expect(redact(`x${key.slice(3, 14)}.`)).toBe(`x${key.slice(3, 14)}.`);
  });

  test('in full-width letters counts by its letters, of which each is three bytes', () => {
    const wide = [...key].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0));
    const register = new SecretRegister();
    register.add(Buffer.from(wide.join('')).toString('latin1'), 'wide key');
    const path = (from: number, to: number): string =>
      `/sessions/${encodeURIComponent(wide.slice(from, to).join(''))}`;
    expect(register.redact(path(3, 14))).toBe(path(3, 14));
    expect(register.redact(path(3, 15))).toContain('<part of wide key>');
  });

  test.for([
    ['percent-encoded', encodeURIComponent(` ${key.slice(4, 20)}`)],
    ['in base64', Buffer.from(` ${key.slice(4, 24)} `).toString('base64')],
    ['in hexadecimal digits', Buffer.from(key.slice(4, 24)).toString('hex')],
    ['in capitals', key.slice(4, 20).toUpperCase()],
  ] as const)('goes %s', ([, written]) => {
    expect(redact(written)).toContain('<part of key>');
  });

  test('that is longer than a registered one goes whole', () => {
    expect(redact(`x ${key.slice(0, 25)} y`)).toBe('x <part of key> y');
  });

  test('of a key that was made from another one is not seen in the other one', () => {
    const register = new SecretRegister();
    register.add(key, 'key');
    register.add(`${key};xq7`, 'key and more', 'variant');
    expect(register.redact(`a=${key}; b=${key};xq7`)).toBe('a=<key>; b=<key and more>');
  });

  test('is not what a whole secret is called', () => {
    expect(redact(`${key} ${key.slice(0, 18)}`)).toBe('<key> <first half of the key>');
  });
});
