/** Says why a text is not an RFC 6901 JSON Pointer to a value inside a body. */
export function pointerObjection(text: string): { why: string; remedy: string } | undefined {
  if (text.startsWith('#'))
    return { why: 'the # form is for URLs', remedy: `write ${text.slice(1) || '/…'}` };
  if (text === '')
    return { why: 'it would take the whole body', remedy: 'write the path to the value, such as /data/id' };
  if (!text.startsWith('/')) {
    const path = text
      .replace(/^\$\.?/, '')
      .replaceAll(/\[(\d+)\]/g, '.$1')
      .replaceAll('.', '/');
    return { why: 'a JSON Pointer (RFC 6901) starts with /', remedy: `write /${path}` };
  }
  if (/~(?![01])/.test(text)) {
    return { why: '~ must be followed by 0 or 1', remedy: 'write ~0 for a ~ in a name, ~1 for a /' };
  }
  return undefined;
}
