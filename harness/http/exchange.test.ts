import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Chunks } from './exchange.ts';
import { decodeContent } from './record-answer.ts';

const content = Buffer.from(JSON.stringify({ slug: 'wäsche', list: Array(50).fill('linen') }));

describe('chunks', () => {
  it.each([
    ['of one byte', Array.from({ length: 200_000 }, () => 1)],
    ['of many sizes', Array.from({ length: 300 }, (_, at) => (at * 7_919) % 9_000)],
    ['of which one is all', [100_000]],
    ['of which there are none', []],
  ])('%s come out as they went in', (_what, sizes) => {
    const chunks = new Chunks();
    const pieces = sizes.map((size, at) => Buffer.alloc(size, at));
    for (const piece of pieces) chunks.add(piece);
    expect(chunks.take().equals(Buffer.concat(pieces))).toBe(true);
    expect(chunks.take()).toHaveLength(0);
  });

  it('are copied, for their memory is used again', () => {
    for (const size of [10, 10_000]) {
      const chunks = new Chunks();
      const piece = Buffer.alloc(size, 'a');
      chunks.add(piece);
      piece.fill('b');
      expect(chunks.take().equals(Buffer.alloc(size, 'a'))).toBe(true);
    }
  });
});

describe('decodeContent', () => {
  it.each([
    ['gzip', gzipSync(content)],
    ['x-gzip', gzipSync(content)],
    ['GZip', gzipSync(content)],
    ['br', brotliCompressSync(content)],
    ['deflate', deflateSync(content)],
    ['deflate', deflateRawSync(content)],
    ['deflate', deflateRawSync(content, { level: 0 })],
    ['identity', content],
    ['', content],
    ['gzip, br', brotliCompressSync(gzipSync(content))],
    ['gzip,identity , gzip', gzipSync(gzipSync(content))],
  ])('undoes %j', (codings, bytes) => {
    expect(decodeContent(bytes, codings, 10_000)).toEqual({ body: content });
  });

  it('takes an empty body for empty under any coding', () => {
    expect(decodeContent(Buffer.alloc(0), 'gzip', 100)).toEqual({ body: Buffer.alloc(0) });
    expect(decodeContent(Buffer.alloc(0), 'unheard-of', 100)).toEqual({ body: Buffer.alloc(0) });
  });

  it.each([
    ['gzip', gzipSync(content).subarray(0, -10)],
    ['br', brotliCompressSync(content).subarray(0, -10)],
    ['deflate', deflateSync(content).subarray(0, -10)],
    ['gzip', content],
    ['br', content],
    ['deflate', content],
    ['unheard-of', content],
  ])('says that content is not %s', (coding, bytes) => {
    const message = `the content is not ${coding}, as its header says`;
    expect(decodeContent(bytes, coding, 10_000)).toEqual({
      failure: { kind: 'malformed-response', message },
    });
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ])('stops a %s bomb at the limit', (coding, compress) => {
    const bomb = compress(Buffer.alloc(8 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(20_000);
    const message = `the ${coding} content is larger than 1048576 bytes`;
    expect(decodeContent(bomb, coding, 1024 * 1024)).toEqual({ failure: { kind: 'too-large', message } });
  });

  it('lets out exactly as much as the limit', () => {
    expect(decodeContent(gzipSync(Buffer.alloc(1000)), 'gzip', 1000)).toEqual({ body: Buffer.alloc(1000) });
    expect(decodeContent(gzipSync(Buffer.alloc(1001)), 'gzip', 1000)).toHaveProperty('failure');
  });
});
