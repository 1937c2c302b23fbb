/** The value at an RFC 6901 pointer; undefined where there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    if (Array.isArray(value) && name === 'length') return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
