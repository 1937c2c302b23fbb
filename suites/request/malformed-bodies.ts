import type { OddBody } from '../../harness/checks/body-refusal.ts';

/** For what a valid body is too small to be made into. */
const stock = '{"a":1}';

/**
 * Bodies that nobody can take for JSON, under `application/json`. Where a forgiving reader would understand one, it is
 * made from the valid body, so that being understood shows as 200 and not as another 400. Left out is what common readers
 * take on purpose or cannot see: comments, NaN, byte order marks, bytes that are not UTF-8 within a string.
 */
export function malformedBodies(valid: string): readonly OddBody[] {
  const bodies: ReadonlyArray<readonly [label: string, body: string | Buffer]> = [
    ['JSON without its last character', notJson(valid, (text) => text.slice(0, -1))],
    ['a comma after the last member', notJson(valid, (text) => `${text.slice(0, -1)},${text.slice(-1)}`)],
    ['single quotes for double ones', notJson(valid, (text) => text.replaceAll('"', "'"))],
    ['a closing brace too many', notJson(valid, (text) => `${text}}`)],
    ['a form', notJson(valid, asForm)],
    ['plain text', 'this is not JSON'],
    ['XML', '<?xml version="1.0" encoding="UTF-8"?><request/>'],
    ['white space only', ' \r\n\t'],
    ['bytes that are not text', Buffer.from([0x00, 0xff, 0xfe, 0x80, 0x1f, 0x8b])],
    ['5000 opening brackets', '['.repeat(5000)],
  ];
  return bodies.map(([label, body]) => ({
    label,
    body: { bytes: Buffer.from(body as string), contentType: 'application/json' },
  }));
}

/** The body spoilt, made sure that it is: an empty object holds nothing to quote. */
function notJson(valid: string, spoil: (text: string) => string): string {
  const spoilt = spoil(valid.trim());
  return isJson(spoilt) || spoilt.trim() === '' ? spoil(stock) : spoilt;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The members of an object as a browser's form would send them. */
function asForm(text: string): string {
  const value: unknown = isJson(text) ? JSON.parse(text) : undefined;
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const form = new URLSearchParams();
  for (const [name, member] of members) {
    form.append(name, typeof member === 'object' ? JSON.stringify(member) : String(member));
  }
  return form.toString();
}
