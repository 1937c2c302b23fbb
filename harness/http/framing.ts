import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { HeaderList } from '../model/exchange.ts';
import type { Protocol } from './connections.ts';
import type { OutgoingRequest, RawAnswer } from './http-client.ts';

/** Bytes of headers that are read at the most. */
export const headerLimit: number = 64 * 1024;
/** Bytes of a body that are read at the most. */
export const bodyLimit: number = 16 * 1024 * 1024;
/** Why a larger one is not read. */
export const tooLarge: string = `the body is larger than ${bodyLimit} bytes`;

/**
 * The headers and the body as undici takes them: it writes a body without a length in chunks, and does not accept the
 * header that says so. HTTP/2 has frames of its own, and no headers of a connection.
 */
export function framed(
  { headers, body, wire = [] }: OutgoingRequest,
  protocol: Protocol,
): Pick<Dispatcher.DispatchOptions, 'headers' | 'body'> {
  const isHttp1 = protocol === 'HTTP/1.1';
  const isChunked = isHttp1 && headers.some(([name]) => name === 'transfer-encoding');
  const isInTwo = isHttp1 && wire.includes('body in two packets');
  const inCapitals = isHttp1 && wire.includes('names in capitals');
  const dropped = protocol === 'HTTP/2' ? ['transfer-encoding', 'connection'] : ['transfer-encoding'];
  const sent = headers.filter(([name]) => !dropped.includes(name));
  const length = body !== undefined && isInTwo && !isChunked ? [['content-length', String(body.length)]] : [];
  return {
    headers: [...sent, ...length].flatMap(([name = '', value = '']) => [
      inCapitals ? name.toUpperCase() : name,
      value,
    ]),
    body:
      body === undefined || !(isInTwo || isChunked)
        ? (body ?? null)
        : Readable.from(isInTwo ? inTwoPackets(body) : [body]),
  };
}

/** Milliseconds between two packets: a server reads the first one alone, and one that is impatient gives up. */
const packetsApartMs = 700;

/**
 * The body in two parts, white space at its ends aside; where it holds a character of several bytes, the first part ends
 * within it.
 */
async function* inTwoPackets(body: Buffer): AsyncGenerator<Buffer> {
  const wide = body.findIndex((byte) => byte >= 0xc0);
  const [start, last] = [body.findIndex(isInk), body.findLastIndex(isInk)];
  const end = wide < 0 ? Math.ceil((start + last) / 2) : wide + 1;
  yield body.subarray(0, end);
  await pause(packetsApartMs);
  yield body.subarray(end);
}

function isInk(byte: number): boolean {
  return byte > 0x20;
}

/** The length of a body that headers declare; undefined where they declare none. */
export function declaredLength(headers: HeaderList): number | undefined {
  const length = Number(headers.find(([name]) => name === 'content-length')?.[1]);
  return Number.isSafeInteger(length) ? length : undefined;
}

/** Headers of an answer from the names and values that came. */
export function headerList(raw: ReadonlyArray<Buffer | string>): HeaderList {
  const list: Array<readonly [string, string]> = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    list.push([String(raw[index]).toLowerCase(), latin1(raw[index + 1])]);
  }
  return list;
}

function latin1(value: Buffer | string = ''): string {
  return typeof value === 'string' ? value : value.toString('latin1');
}

/** The answer with its body decoded; a failure where that cannot be done. A part of a body is left as it is. */
export function decoded(answer: RawAnswer): RawAnswer {
  if (answer.status === 206) return answer;
  const codings = answer.headers.flatMap(([name, value]) => (name === 'content-encoding' ? [value] : []));
  return { ...answer, ...decodeContent(answer.body, codings.join(), bodyLimit) };
}

/** Bytes without their content codings, of which the last was applied last; a failure for more than `limit` of them. */
export function decodeContent(
  bytes: Buffer,
  codings: string,
  limit: number,
): Pick<RawAnswer, 'body'> | Pick<RawAnswer, 'failure'> {
  let body = bytes;
  for (const written of codings.split(',').reverse()) {
    const coding = written.trim().toLowerCase();
    if (coding === '' || coding === 'identity' || body.length === 0) continue;
    try {
      body = decodeOne(body, coding, limit);
    } catch (error) {
      const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      const message = isTooLarge
        ? `the ${coding} content is larger than ${limit} bytes`
        : `the content is not ${coding}, as its header says`;
      return { failure: { kind: isTooLarge ? 'too-large' : 'malformed-response', message } };
    }
  }
  return { body };
}

function decodeOne(content: Buffer, coding: string, limit: number): Buffer {
  const options = { maxOutputLength: limit };
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return gunzipSync(content, options);
    case 'br':
      return brotliDecompressSync(content, options);
    case 'deflate':
      // Many servers send raw deflate under this name; the zlib header distinguishes the two.
      return ((content[0] ?? 0) & 0x0f) === 8
        ? inflateSync(content, options)
        : inflateRawSync(content, options);
    default:
      throw new Error(`unknown content coding ${coding}`);
  }
}

/** The chunks of a body, copied as they come: whoever reads from the socket uses its memory again. */
export class Chunks {
  #bytes = Buffer.alloc(0);
  #used = 0;

  /** Makes more room than the chunk needs, so that a body in chunks of one byte is not copied for each. */
  add(chunk: Buffer): void {
    const needed = this.#used + chunk.length;
    if (needed > this.#bytes.length) {
      // A body that comes in one piece, as most do, needs no more room than it takes.
      const grown = Buffer.allocUnsafe(this.#used === 0 ? needed : Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(grown, 0, 0, this.#used);
      this.#bytes = grown;
    }
    chunk.copy(this.#bytes, this.#used);
    this.#used = needed;
  }

  /** All bytes so far; none are held on to. */
  take(): Buffer {
    const body = this.#bytes.subarray(0, this.#used);
    this.#bytes = Buffer.alloc(0);
    this.#used = 0;
    return body;
  }
}
