import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { protocolError } from '../evidence/answer.ts';
import { certificates } from './certificates-for-tests.ts';
import type { ConnectionOptions } from './connect.ts';
import type { OutgoingRequest } from './exchange.ts';
import { frontBySocket, frontByTls, serveHttp2, startProxy } from './fronts-for-tests.ts';
import { HttpClient } from './http-client.ts';
import { type Loopback, serveBytes, serveHttp } from './loopback-for-tests.ts';

const open: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

function opened<T extends { close(): Promise<void> }>(one: T): T {
  open.push(one);
  return one;
}

const get: OutgoingRequest = { method: 'GET', path: '/', headers: [] };
const { authority, server, client: clientsOwn } = certificates;
const ca = authority.cert;
const unusualPaths = [
  '/api/%2e%2e/secret',
  '/a/../b/./c',
  '//double//',
  '/%zz/%',
  '/"<>\\^`{|}',
  '/a?b=c#e',
  '/*',
];

function clientOf(origin: string, options: Partial<ConnectionOptions> = {}): HttpClient {
  return opened(new HttpClient(origin, 4, { timeoutMs: 5_000, ...options }));
}

/** Answers with the first line and the header names and values that it was sent. */
async function echo(): Promise<Loopback> {
  return opened(
    await serveHttp((request, response) => {
      response.end(JSON.stringify({ path: request.url, headers: request.rawHeaders }));
    }),
  );
}

describe('a client certificate', () => {
  async function guarded(): Promise<string> {
    const { origin } = await echo();
    const front = await frontByTls(origin, {
      ...server,
      ca,
      requestCert: true,
      rejectUnauthorized: true,
    });
    return `https://127.0.0.1:${opened(front).port}`;
  }

  it('is shown to a server that asks for one', async () => {
    const client = clientOf(await guarded(), { ca, clientCert: clientsOwn.cert, clientKey: clientsOwn.key });
    expect(await client.send(get)).toMatchObject({ status: 200, protocol: 'HTTP/1.1' });
  });

  it('is asked for where there is none', async () => {
    const { failure } = await clientOf(await guarded(), { ca }).send(get);
    expect(failure?.kind).toMatch(/^(?:tls|reset)$/);
  });

  it('of another authority is refused', async () => {
    const { stranger: strange } = certificates;
    const client = clientOf(await guarded(), { ca, clientCert: strange.cert, clientKey: strange.key });
    expect((await client.send(get)).failure?.kind).toMatch(/^(?:tls|reset)$/);
  });
});

describe.each([
  ['that nobody vouches for', certificates.server, false],
  ['for another host', certificates.elsewhere, true],
  ['that has expired', certificates.expired, true],
])("a server's certificate %s", (_what, certificate, isTrusted) => {
  it('is refused, but for those who accept any', async () => {
    const front = opened(await frontByTls((await echo()).origin, certificate));
    const origin = `https://127.0.0.1:${front.port}`;
    const trust = isTrusted ? { ca: authority.cert } : {};
    expect((await clientOf(origin, trust).send(get)).failure?.kind).toBe('tls');
    expect((await clientOf(origin, { insecure: true }).send(get)).status).toBe(200);
  });
});

describe('a proxy', () => {
  it.each(unusualPaths)('sees nothing of the path %s, which arrives as it was', async (path) => {
    const proxy = opened(await startProxy());
    const bytes = opened(
      await serveBytes((socket, head) => {
        const [line = ''] = head.split('\r\n');
        socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${line.length}\r\n\r\n${line}`, 'latin1');
      }),
    );
    const client = clientOf(bytes.origin, { proxy: `http://127.0.0.1:${proxy.port}` });
    expect((await client.send({ ...get, path })).body.toString()).toBe(`GET ${path} HTTP/1.1`);
    expect(proxy).toMatchObject({ tunnels: [new URL(bytes.origin).host], forwarded: [] });
  });

  it('hands on headers in their order, duplicates too, and none of its own', async () => {
    const { origin } = await echo();
    const proxy = opened(await startProxy({ credentials: 'me:p@ss' }));
    const client = clientOf(origin, { proxy: `http://me:p%40ss@127.0.0.1:${proxy.port}` });
    const headers = [
      ['authorization', 'one'],
      ['authorization', 'two'],
    ] as const;
    const { body } = await client.send({ ...get, headers });
    const sent = (JSON.parse(body.toString()) as { headers: string[] }).headers;
    expect(sent.filter((_name, index) => index % 2 === 0)).toEqual([
      'host',
      'connection',
      'authorization',
      'authorization',
    ]);
  });

  it('is gone through to a target that speaks TLS', async () => {
    const front = opened(await frontByTls((await echo()).origin, server));
    const proxy = opened(await startProxy());
    const client = clientOf(`https://localhost:${front.port}`, {
      ca,
      proxy: `http://127.0.0.1:${proxy.port}`,
    });
    expect((await client.send(get)).status).toBe(200);
    expect(proxy.tunnels).toEqual([`localhost:${front.port}`]);
  });

  it('may speak TLS itself', async () => {
    const proxy = opened(await startProxy());
    const front = opened(await frontByTls(`http://127.0.0.1:${proxy.port}`, server));
    const client = clientOf((await echo()).origin, { ca, proxy: `https://localhost:${front.port}` });
    expect((await client.send(get)).status).toBe(200);
  });

  it('has dedicated connections', async () => {
    const target = await echo();
    const proxy = opened(await startProxy());
    const client = clientOf(target.origin, { proxy: `http://127.0.0.1:${proxy.port}` });
    const connection = opened(client.openConnection());
    await connection.send(get);
    await connection.send(get);
    expect([connection.connections, target.connections()]).toEqual([1, 1]);
    await client.send(get);
    expect([target.connections(), proxy.tunnels.length]).toEqual([2, 2]);
  });

  it.each([
    ['wants other credentials', 407, 'refuses the credentials in its URL, or asks for some (407)'],
    ['cannot reach the target', 502, 'cannot reach 127.0.0.1:9 (it answers 502)'],
    ['forbids the target', 403, 'opens no tunnel to 127.0.0.1:9 (it answers 403)'],
  ])('that %s is told apart from the target', async (_what, status, words) => {
    const proxy = opened(await startProxy({ status }));
    const url = `http://me:secret-word@127.0.0.1:${proxy.port}`;
    const { failure } = await clientOf('http://127.0.0.1:9', { proxy: url }).send(get);
    expect(failure).toEqual({
      kind: 'proxy',
      message: `the proxy http://127.0.0.1:${proxy.port} ${words}`,
    });
  });

  it.each([
    ['is not there', async () => 'http://127.0.0.1:9'],
    ['hangs up', async () => opened(await serveBytes((socket) => socket.destroy())).origin],
    ['is no proxy', async () => opened(await serveBytes((socket) => socket.end('hello\r\n\r\n'))).origin],
    ['never answers', async () => opened(await serveBytes(() => undefined)).origin],
  ])('that %s is no fault of the target', async (what, start) => {
    const client = clientOf('http://127.0.0.1:9', { proxy: await start(), timeoutMs: 400 });
    const { failure } = await client.send(get);
    // At the deadline either timer may be the first.
    expect(failure?.kind).toMatch(what === 'never answers' ? /^(?:proxy|timeout)$/ : /^proxy$/);
  });
});

describe('a Unix socket', () => {
  it('is connected to whatever the base URL names, and no proxy is asked', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'socket-'));
    const path = join(folder, 'service.sock');
    const target = await echo();
    opened(await frontBySocket(target.origin, path));
    const client = clientOf('http://shop.example', { unixSocket: path, proxy: 'http://127.0.0.1:9' });
    for (const path of unusualPaths) {
      const { body } = await client.send({ ...get, path });
      expect(JSON.parse(body.toString())).toMatchObject({
        path,
        headers: ['host', 'shop.example', 'connection', 'keep-alive'],
      });
    }
    await rm(folder, { recursive: true });
  });
});

describe('HTTP/2', () => {
  type Answer = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

  async function onHttp2(answer: Answer, options: Partial<ConnectionOptions> = {}): Promise<HttpClient> {
    const front = opened(await serveHttp2({ ...server, allowHTTP1: false }, answer));
    return clientOf(`https://localhost:${front.port}`, { ca, ...options });
  }

  const ok: Answer = (_request, response) => response.end('ok');

  it('is spoken with a target that refuses HTTP/1.1, from the first request on', async () => {
    const client = await onHttp2(ok);
    const answers = await Promise.all([
      client.send(get),
      client.send(get),
      client.openConnection().send(get),
    ]);
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, protocol: 'HTTP/2' });
    expect(client.protocol).toBe('HTTP/2');
  });

  it.each([
    [undefined, 'HTTP/1.1'],
    [true, 'HTTP/2'],
  ])('is spoken with a target that takes both only where it is asked for (%s)', async (http2, protocol) => {
    const front = opened(await serveHttp2({ ...server, allowHTTP1: true }, ok));
    const options = { ca, ...(http2 && { http2 }) };
    const answer = await clientOf(`https://localhost:${front.port}`, options).send(get);
    expect(answer).toMatchObject({ status: 200, protocol });
  });

  it('is spoken with a target that follows the order of the client', async () => {
    const ALPNCallback = ({ protocols }: { readonly protocols: readonly string[] }): string | undefined =>
      protocols[0];
    const front = opened(await serveHttp2({ ...server, allowHTTP1: true, ALPNCallback }, ok));
    const client = clientOf(`https://localhost:${front.port}`, { ca, http2: true });
    expect(await client.send(get)).toMatchObject({ status: 200, protocol: 'HTTP/2' });
  });

  it('fails where the target does not answer the handshake', async () => {
    const silent = opened(await serveBytes(() => undefined));
    const client = clientOf(`https://localhost:${silent.port}`, { ca, http2: true, timeoutMs: 300 });
    expect((await client.send(get)).failure?.kind).toBe('timeout');
  });

  it('gives way to HTTP/1.1 where the target knows nothing else', async () => {
    const front = opened(await frontByTls((await echo()).origin, server));
    const client = clientOf(`https://localhost:${front.port}`, { ca, http2: true });
    expect(await client.send(get)).toMatchObject({ status: 200, protocol: 'HTTP/1.1' });
  });

  it('is spoken through a proxy and over a dedicated connection', async () => {
    const proxy = opened(await startProxy());
    const client = await onHttp2(ok, { proxy: `http://127.0.0.1:${proxy.port}` });
    const connection = opened(client.openConnection());
    await connection.send(get);
    await connection.send(get);
    expect(connection.connections).toBe(1);
  });

  it.each([...unusualPaths, '/é'])('carries the path %s as it was', async (path) => {
    const client = await onHttp2((request, response) => response.end(request.url, 'latin1'));
    expect((await client.send({ ...get, path })).body.toString('latin1')).toBe(path);
  });

  it('carries headers, and bodies of every method', async () => {
    const client = await onHttp2((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { 'x-a': a, 'content-length': length, ':authority': host } = request.headers;
        response.end(JSON.stringify([a, length, host, Buffer.concat(chunks).toString()]));
      });
    });
    const headers = [
      ['x-a', '1'],
      ['X-A', 'é'],
      ['host', 'shop.example'],
    ] as const;
    for (const [method, body, length] of [
      ['POST', '{}', '2'],
      ['POST', '', '0'],
      ['GET', 'any', '3'],
    ] as const) {
      const answer = await client.send({ ...get, method, headers, body: Buffer.from(body) });
      expect(JSON.parse(answer.body.toString())).toEqual(['1, é', length, 'shop.example', body]);
    }
    expect((await client.send({ ...get, method: 'POST' })).body.toString()).toContain('"0"');
  });

  it('gives back headers as they came, and passes over what comes before the answer', async () => {
    const client = await onHttp2((_request, response) => {
      response.writeContinue();
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.stream.respond({ ':status': 418, 'x-a': ['1', 'é'], 'set-cookie': ['a=1', 'b=2'] });
      response.stream.end('pot');
    });
    const { status, headers, body } = await client.send(get);
    expect([status, body.toString()]).toEqual([418, 'pot']);
    expect(headers.filter(([name]) => name !== 'date')).toEqual([
      ['x-a', '1'],
      ['x-a', 'é'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]);
  });

  it('ends the connection of a response that failed, because the target may go on sending', async () => {
    const ends: Array<Promise<unknown>> = [];
    const client = await onHttp2((_request, { stream }) => {
      if (stream.session !== undefined) ends.push(once(stream.session, 'close'));
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
    });
    expect((await client.send(get)).failure?.kind).toBe('reset');
    await Promise.all(ends);
    expect(ends).toHaveLength(1);
  });

  const {
    NGHTTP2_CANCEL,
    NGHTTP2_REFUSED_STREAM,
    NGHTTP2_INTERNAL_ERROR,
    NGHTTP2_NO_ERROR,
    NGHTTP2_PROTOCOL_ERROR,
  } = constants;
  it.each<[string, Answer, string, number | undefined, string]>([
    [
      'a refused stream',
      (_q, { stream }) => stream.close(NGHTTP2_REFUSED_STREAM),
      'reset',
      undefined,
      'REFUSED_STREAM',
    ],
    [
      'a stream that fails',
      (_q, { stream }) => stream.close(NGHTTP2_INTERNAL_ERROR),
      'reset',
      undefined,
      'INTERNAL_ERROR',
    ],
    [
      'a request taken for malformed',
      (_q, { stream }) => stream.close(NGHTTP2_PROTOCOL_ERROR),
      'reset',
      undefined,
      protocolError,
    ],
    [
      'a cut body',
      (_q, response) => {
        response.write('{"whole":');
        setTimeout(() => response.stream.close(NGHTTP2_CANCEL), 30);
      },
      'reset',
      200,
      'CANCEL',
    ],
    [
      'a body shorter than announced',
      (_q, response) => {
        response.writeHead(200, { 'content-length': '10' });
        response.end('abc');
      },
      'malformed-response',
      200,
      'PROTOCOL_ERROR',
    ],
    ['a connection that ends', (_q, { stream }) => stream.session?.destroy(), 'reset', undefined, 'CANCEL'],
  ])('never takes %s for an answer', async (_what, answer, kind, status, word) => {
    const client = await onHttp2((request, response) =>
      (request.url === '/' ? answer : ok)(request, response),
    );
    const got = await client.send(get);
    expect([got.status, got.failure?.kind]).toEqual([status, kind]);
    if (kind !== 'reset' || word !== 'CANCEL') expect(got.failure?.message).toContain(word);
    // The next request is none the worse for it.
    expect(await client.send({ ...get, path: '/next' })).toMatchObject({
      status: 200,
      body: Buffer.from('ok'),
    });
  });

  it('takes the answer of a server that says goodbye with it, and connects anew', async () => {
    const client = await onHttp2((_request, response) => {
      response.stream.session?.goaway(NGHTTP2_NO_ERROR);
      setTimeout(() => response.end('the last'), 30);
    });
    const connection = opened(client.openConnection());
    for (let count = 1; count <= 3; count += 1) {
      expect(await connection.send(get)).toMatchObject({ status: 200, body: Buffer.from('the last') });
      expect(connection.connections).toBe(count);
    }
  });

  it('has a deadline, after which connections are made anew', async () => {
    const client = await onHttp2(
      (request, response) => {
        if (request.url !== '/') response.end('ok');
      },
      { timeoutMs: 1_000 },
    );
    await client.send({ ...get, path: '/first' });
    expect((await client.send(get)).failure?.kind).toBe('timeout');
    expect((await client.send({ ...get, path: '/next' })).status).toBe(200);
  });

  it('stops an endless body at the limit', async () => {
    let isClosed = false;
    const client = await onHttp2((_request, { stream }) => {
      stream.respond({ ':status': 200 });
      const more = (): void => {
        while (!stream.destroyed && stream.write(Buffer.alloc(64 * 1024)));
      };
      stream.on('drain', more);
      stream.on('error', () => undefined);
      stream.on('close', () => {
        isClosed = true;
      });
      more();
    });
    expect(await client.send(get)).toMatchObject({ status: 200, failure: { kind: 'too-large' } });
    await expect.poll(() => isClosed).toBe(true);
  });

  it('uses a connection for one request at a time, and again afterwards', async () => {
    let under = 0;
    const most = new Map<unknown, number>();
    const client = await onHttp2((_request, response) => {
      const { session } = response.stream;
      under = (most.get(session) ?? 0) + 1;
      most.set(session, under);
      setTimeout(() => {
        expect(most.get(session)).toBe(1);
        most.set(session, 0);
        response.end();
      }, 5);
    });
    for (let round = 0; round < 3; round += 1)
      await Promise.all([get, get, get].map((one) => client.send(one)));
    expect(most.size).toBe(3);
  });

  it('is never put on the target where the request cannot be sent at all', async () => {
    const client = await onHttp2(ok);
    await client.send(get);
    await expect(client.send({ ...get, path: '/a b' })).rejects.toThrow('the path cannot be sent');
    await expect(client.send({ ...get, headers: [['x', 'a\nb']] })).rejects.toThrow('x cannot be sent');
  });

  it('is an interruption where the client is closed meanwhile', async () => {
    let arrive: (() => void) | undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const client = await onHttp2(() => arrive?.());
    const answer = client.send(get);
    await arrived;
    await client.close();
    expect((await answer).failure?.kind).toMatch(/^(?:interrupted|reset)$/);
  });
});
