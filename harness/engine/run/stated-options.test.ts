import { expect, test } from 'vitest';
import { connectionOf } from './stated-options.ts';

test.each([
  [undefined, 'HTTP/1.1', undefined],
  [undefined, 'HTTP/2', { protocol: 'HTTP/2' }],
  [true, 'HTTP/2', { protocol: 'HTTP/2' }],
  [true, 'HTTP/1.1', { protocol: 'HTTP/1.1' }],
] as const)('a connection where http2 is %s and %s is spoken', (http2, protocol, stated) => {
  expect(connectionOf({ ...(http2 && { http2 }) }, undefined, protocol)).toEqual(stated);
});
