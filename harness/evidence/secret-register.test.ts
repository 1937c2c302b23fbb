import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SecretRegister } from './secret-register.ts';

const key = 'pk_Ab3/dE+f6~hI="9';

function registerOf(
  ...secrets: ReadonlyArray<readonly [secret: string, description: string]>
): SecretRegister {
  const register = new SecretRegister();
  for (const [secret, description] of secrets) register.add(secret, description);
  return register;
}

function redactWith(secret: string, text: string): string {
  return registerOf([secret, 'key']).redact(text);
}

function percentAll(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

describe('a cookie', () => {
  const set = 'kid=abcdefghijkl; Path=/';

  it('with a part of a secret is sent as it was set, beside others', () => {
    const register = registerOf(['abcdefghijklmnop', 'key']);
    expect(register.redactCookie(set)).toBe('kid=<part of key>; Path=/');
    expect(register.cookiesAsSet('visit=7; kid=<part of key>')).toBe('visit=7; kid=abcdefghijkl');
  });

  it('that was never set is sent as it is written', () => {
    const register = registerOf(['abcdefghijklmnop', 'key']);
    expect(register.redactCookie('visit=7')).toBe('visit=7');
    expect(register.cookiesAsSet('kid=<part of key>')).toBe('kid=<part of key>');
  });
});

describe('redact', () => {
  it.each([
    ['as it is', key],
    ['in capitals', key.toUpperCase()],
    ['in small letters', key.toLowerCase()],
    ['in a JSON text', JSON.stringify(key).slice(1, -1)],
    ['percent-encoded', encodeURIComponent(key)],
    [
      'percent-encoded in small digits',
      encodeURIComponent(key).replaceAll(/%../g, (code) => code.toLowerCase()),
    ],
    ['percent-encoded where a URL asks for it', encodeURI(key)],
    ['in HTML, by number', key.replaceAll('"', '&#34;')],
    ['in HTML, by name', key.replaceAll('"', '&quot;')],
    ['in base64', Buffer.from(key).toString('base64')],
    ['in base64 without padding', Buffer.from(key).toString('base64').replaceAll('=', '')],
    ['in base64url', Buffer.from(key).toString('base64url')],
    ['in hexadecimal digits', Buffer.from(key).toString('hex')],
    ['in hexadecimal capitals', Buffer.from(key).toString('hex').toUpperCase()],
  ])('finds a key written %s', (_how, written) => {
    expect(redactWith(key, `before ${written} after`)).toMatch(/^before <key>=* after$/);
  });

  it.each([
    ['with escaped slashes, as PHP writes JSON', 'pk_Ab3/dE9xyz', 'pk_Ab3\\/dE9xyz'],
    ['with escaped signs, as .NET writes JSON', 'pk_Ab3+dE9xyz', 'pk_Ab3\\u002BdE9xyz'],
    ['with slashes escaped in HTML', 'pk_Ab3/dE9xyz', 'pk_Ab3&#x2F;dE9xyz'],
    ['with every byte percent-encoded', 'pk_Ab3dE9xyz', percentAll('pk_Ab3dE9xyz')],
    ['in base64 behind one other byte', 'pk_Ab3dE9xyz', Buffer.from(' pk_Ab3dE9xyz').toString('base64')],
    ['in base64 behind two other bytes', 'pk_Ab3dE9xyz', Buffer.from(': pk_Ab3dE9xyz').toString('base64')],
    ['in base64 before other bytes', 'pk_Ab3dE9xy', Buffer.from('pk_Ab3dE9xyzz').toString('base64')],
  ])('finds a key written %s', (_how, secret, written) => {
    expect(redactWith(secret, `before ${written} after`)).toContain('<key>');
  });

  const plain = 'pk_Ab3dE9xyzQ7';
  const pairs = [...Buffer.from(plain)].map((byte) => byte.toString(16).padStart(2, '0'));
  const twice = (text: string): string => Buffer.from(text).toString('base64');
  it.each([
    ['with percent signs encoded twice', encodeURIComponent(percentAll(plain))],
    ['with every byte percent-encoded three times', percentAll(percentAll(percentAll(plain)))],
    ['in base64 of base64', twice(twice(plain))],
    ['in base64 of base64 behind other bytes', twice(`a:${twice(plain)}`)],
    ['in base64 of base64url', twice(Buffer.from(plain).toString('base64url'))],
    ['in base32', 'OBVV6QLCGNSEKOLYPF5FCNY='],
    ['in base32 in small letters', 'obvv6qlcgnsekolypf5fcny'],
    ['in base32 behind another byte', 'EBYGWX2BMIZWIRJZPB4XUUJX'],
    ['in hexadecimal digits with colons', pairs.join(':')],
    ['in hexadecimal digits with spaces, in capitals', pairs.join(' ').toUpperCase()],
    ['in hexadecimal digits with hyphens', pairs.join('-')],
    ['as an array of hexadecimal bytes', `[0x${pairs.join(', 0x')}]`],
    ['with hexadecimal escapes', `\\x${pairs.join('\\x')}`],
    ['as an array of bytes', JSON.stringify([...Buffer.from(plain)])],
    ['as an array of bytes with spaces', [...Buffer.from(plain)].join(', ')],
    ['as UTF-16 in a JSON text', JSON.stringify(Buffer.from(plain, 'utf16le').toString('latin1'))],
    ['with JSON escapes in a JSON text', JSON.stringify(`"${plain.replace('A', '\\u0041')}"`)],
    ['with one character escaped in JSON', plain.replace('d', '\\u0064')],
  ])('finds a key written %s', (_how, written) => {
    expect(redactWith(plain, `before ${written} after`)).toMatch(/<(?:part of )?key>/);
  });

  it('leaves a text without secrets as it is', () => {
    expect(redactWith(key, 'pk_Ab3/dE+')).toBe('pk_Ab3/dE+');
    expect(new SecretRegister().redact('anything')).toBe('anything');
  });

  it('replaces every occurrence', () => {
    expect(redactWith('abcdefgh', 'abcdefghabcdefgh ABCDEFGH')).toBe('<key><key> <key>');
  });

  it('names the longest secret of those that start at one place', () => {
    const register = registerOf(['abcdefgh', 'key'], ['abcdefghx', 'near miss'], ['abcd', 'half']);
    expect(register.redact('abcdefghx abcdefgh abcd')).toBe('<near miss> <key> <half>');
  });

  it('finds what is added after a first redaction', () => {
    const register = registerOf(['abcdefgh', 'one']);
    register.redact('abcdefgh');
    register.add('stuvwxyz', 'two');
    expect(register.redact('abcdefgh stuvwxyz')).toBe('<one> <two>');
  });

  it('keeps the first description of a value, also of one in another case', () => {
    expect(registerOf(['abcdefgh', 'first'], ['ABCDEFGH', 'second']).redact('abcdefgh')).toBe('<first>');
  });

  it('takes every sign of a regular expression literally', () => {
    const secret = '.*+?^$ {}()|[]\\/ key';
    expect(redactWith(secret, `a ${secret} b`)).toBe('a <key> b');
    expect(redactWith('a.c.e(g)', 'abcxexg a.c.e(g)')).toBe('abcxexg <key>');
  });

  it('takes a key with a hyphen, such as every UUID', () => {
    const secret = '1f0e4b9c-7c52-4b1d-9a86-0d6f5a2b7c33';
    expect(redactWith(secret, `a ${secret} b`)).toBe('a <key> b');
  });

  it('finds short keys in plain text only', () => {
    expect(redactWith('ab', 'ab')).toBe('<key>');
    const coded = Buffer.from('ab').toString('hex');
    expect(redactWith('ab', coded)).toBe(coded);
  });

  it('finds a key that is a number', () => {
    expect(redactWith('12345', '{"id":12345}')).toBe('{"id":<key>}');
  });

  it('looks into what was escaped, without changing the rest of the text', () => {
    expect(redactWith('abc/def+gh', '%41 \\/ &lt; abc%2Fdef%2bgh \\u0041 &#65;')).toBe(
      '%41 \\/ &lt; <key> \\u0041 &#65;',
    );
  });

  it.each(['100%', '100\\u00'])('finds a key that %s before it makes look like an escape', (before) => {
    expect(redactWith('1abcdefgh', `${before}1abcdefgh;`)).not.toContain('abcdefgh');
  });

  it('keeps an empty secret from standing in every text', () => {
    expect(redactWith('', 'text')).toBe('text');
  });

  it('finds letters outside ASCII, also in another case', () => {
    expect(redactWith('schlüssel_ÄÖ', 'SCHLÜSSEL_äö')).toBe('<key>');
  });

  it('leaves no registered secret in any text around it', () => {
    fc.assert(
      fc.property(
        fc
          .string({ minLength: 4, maxLength: 40, unit: 'grapheme-ascii' })
          .filter((text) => text.trim() === text),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          const register = registerOf([secret, '…']);
          const redacted = register.redact(`${before}\n${secret}\n${after}`);
          expect(redacted.split('\n').slice(1, -1).join('\n')).not.toContain(secret);
          expect(register.redact(`"${JSON.stringify(secret)}"`)).not.toContain(secret);
        },
      ),
    );
  });
});

describe('redactCut', () => {
  const long = 'pk_AbcdefghijklmnopQRSTuvwx';

  it.each([4, 8, 14, 20, 26])('removes a secret of which only the first %i characters are left', (length) => {
    const cut = `x ${long.slice(0, length)}`;
    expect(registerOf([long, 'key']).redactCut(cut)).toMatch(/^x <(?:cut secret|part of key)>$/);
  });

  it('removes the beginning of a coded form too', () => {
    const coded = Buffer.from(long).toString('hex').slice(0, 30);
    expect(registerOf([long, 'key']).redactCut(`x ${coded}`)).toMatch(/^x <(?:cut secret|part of key)>$/);
  });

  it('leaves what only looks like the beginning of a secret within the text', () => {
    expect(registerOf([long, 'key']).redactCut('pk_Abcd is no secret')).toBe('pk_Abcd is no secret');
  });

  it('replaces whole secrets as redact does', () => {
    expect(registerOf([long, 'key']).redactCut(`a ${long} b`)).toBe('a <key> b');
  });

  it('copes with texts shorter than any secret, and with none registered', () => {
    expect(registerOf([long, 'key']).redactCut('')).toBe('');
    expect(new SecretRegister().redactCut('text')).toBe('text');
  });

  it('leaves nothing of a cut key whose half is registered as well', () => {
    const half = long.slice(0, Math.ceil(long.length / 2));
    const register = registerOf([long, 'key'], [half, 'first half of the key']);
    expect(register.redactCut(`x ${long.slice(0, -4)}`)).not.toContain(long.slice(half.length, -4));
  });
});

describe('fingerprint', () => {
  it('is the same for the same secret of a run, and tells others apart', () => {
    const register = new SecretRegister();
    expect(register.fingerprint('one')).toMatch(/^[0-9a-f]{12}$/);
    expect(register.fingerprint('one')).toBe(register.fingerprint('one'));
    expect(register.fingerprint('one')).not.toBe(register.fingerprint('two'));
  });

  it('cannot be compared between runs', () => {
    expect(new SecretRegister().fingerprint('one')).not.toBe(new SecretRegister().fingerprint('one'));
  });
});
