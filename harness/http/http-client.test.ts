import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { OutgoingRequest, RawAnswer } from './exchange.ts';
import { HttpClient } from './http-client.ts';
import { type Loopback, serveBytes, serveHttp } from './loopback-for-tests.ts';

const open: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const get: OutgoingRequest = { method: 'GET', path: '/', headers: [] };

function clientOf(origin: string, timeoutMs = 5_000): HttpClient {
  const client = new HttpClient(origin, 4, { timeoutMs });
  open.push(client);
  return client;
}

async function onHttp(listener: RequestListener, timeoutMs?: number): Promise<HttpClient> {
  const server = await serveHttp(listener);
  open.push(server);
  return clientOf(server.origin, timeoutMs);
}

async function onBytes(
  answer: (socket: Socket, head: string) => void,
  timeoutMs?: number,
): Promise<HttpClient> {
  const server = await serveBytes(answer);
  open.push(server);
  return clientOf(server.origin, timeoutMs);
}

/** What comes back where a server writes this to whoever asks, and ends the connection where told to. */
async function answerTo(
  text: string,
  options: { end?: boolean; timeoutMs?: number } = {},
): Promise<RawAnswer> {
  const client = await onBytes((socket) => {
    socket.write(text, 'latin1');
    if (options.end !== false) socket.end();
  }, options.timeoutMs);
  return client.send(get);
}

describe('what goes out', () => {
  it.each([
    '/api/%2e%2e/secret',
    '/a/../b/./c',
    '//double//slashes/',
    '/%zz/%',
    '/"<>\\^`{|}',
    '/a?b=c&d=%20#e',
    '/*',
    '/a;b=c',
  ])('has the path %s as it was given', async (path) => {
    const client = await onBytes((socket, head) => {
      const [line = ''] = head.split('\r\n');
      socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${line.length}\r\n\r\n${line}`, 'latin1');
    });
    const { body } = await client.send({ ...get, path });
    expect(body.toString()).toBe(`GET ${path} HTTP/1.1`);
  });

  it('has every header in its order, duplicates and empty values too', async () => {
    const client = await onHttp((request, response) => {
      response.end(JSON.stringify(request.rawHeaders));
    });
    const headers = [
      ['authorization', 'one'],
      ['x-empty', ''],
      ['authorization', 'two'],
      ['x-latin', 'é'],
    ] as const;
    const { body } = await client.send({ ...get, headers });
    const raw = JSON.parse(body.toString()) as string[];
    const sent = raw.slice(raw.indexOf('authorization'));
    expect(sent.slice(0, 8)).toEqual(headers.flat());
  });

  it('has no user agent, accept or content type of its own', async () => {
    const client = await onHttp((request, response) => {
      response.end(JSON.stringify(Object.keys(request.headers).sort()));
    });
    const { body } = await client.send(get);
    expect(JSON.parse(body.toString())).toEqual(['connection', 'host']);
  });

  it.each([
    ['text', Buffer.from('{"a":1}')],
    ['bytes that are not text', Buffer.from([0, 255, 10, 13, 0])],
    ['nothing', Buffer.alloc(0)],
  ])('has a body of %s', async (_what, bytes) => {
    const client = await onHttp((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => response.end(Buffer.concat(chunks)));
    });
    const { body } = await client.send({ ...get, method: 'POST', body: bytes });
    expect(body).toEqual(bytes);
  });

  it('arrives in two packets with the length of the whole', async () => {
    const client = await onHttp((request, response) => {
      const sizes: number[] = [];
      request.on('data', (chunk: Buffer) => sizes.push(chunk.length));
      request.on('end', () => response.end(`${request.headers['content-length']} in ${sizes.join(' and ')}`));
    });
    const request = { ...get, method: 'POST', body: Buffer.from(' {"a":"é"}  ') };
    const { body } = await client.send({ ...request, wire: ['body in two packets'] });
    expect(body.toString()).toBe('13 in 8 and 5');
  });

  it('says that a POST without a body has none', async () => {
    const client = await onHttp((request, response) => {
      response.end(String(request.headers['content-length']));
    });
    expect((await client.send({ ...get, method: 'POST' })).body.toString()).toBe('0');
  });
});

describe('a client that leaves', () => {
  it.each([
    ['a read before its answer', {}],
    ['a write before its body is complete', { method: 'POST', body: Buffer.from('{"a":"b"}') }],
  ])('abandons %s', async (_what, rest) => {
    let left = (_complete: boolean): void => undefined;
    const leaving = new Promise<boolean>((resolve) => (left = resolve));
    const client = await onHttp((request) => request.on('close', () => left(request.complete)));
    const { status, failure } = await client.send({
      ...get,
      ...rest,
      wire: ['body in two packets', 'client leaves'],
    });
    expect({ status, kind: failure?.kind }).toEqual({ status: undefined, kind: 'abandoned' });
    expect(await leaving).toBe(!('body' in rest));
  });
});

it('writes the names of headers in capitals where asked to', async () => {
  const client = await onHttp((request, response) => response.end(request.rawHeaders.join()));
  const headers = [['x-request-id', 'one']] as const;
  const { body } = await client.send({ ...get, headers, wire: ['names in capitals'] });
  expect(body.toString()).toContain('X-REQUEST-ID,one');
});

describe('what comes back', () => {
  it('is status, headers and body', async () => {
    const answer = await answerTo(
      'HTTP/1.1 418 Teapot\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nX-Latin: \u00e9\r\ncontent-length: 2\r\n\r\nok',
    );
    expect(answer).toMatchObject({
      status: 418,
      headers: [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['x-latin', 'é'],
        ['content-length', '2'],
      ],
      body: Buffer.from('ok'),
    });
    expect(answer.failure).toBeUndefined();
    expect(answer.durationMs).toBeGreaterThan(0);
  });

  it.each([301, 302, 303, 307, 308])('is a %i itself, not what it points at', async (status) => {
    const asked: string[] = [];
    const client = await onHttp((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    expect(await client.send({ ...get, headers: [['authorization', 'k']] })).toMatchObject({ status });
    expect(asked).toEqual(['/']);
  });

  it.each(['102 Processing', '103 Early Hints'])('is what follows a %s', async (interim) => {
    const answer = await answerTo(
      `HTTP/1.1 ${interim}\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nx-last: 1\r\ncontent-length: 2\r\n\r\nok`,
    );
    expect(answer).toMatchObject({ status: 200, body: Buffer.from('ok') });
    expect(answer.headers).toEqual([
      ['x-last', '1'],
      ['content-length', '2'],
    ]);
  });

  // RFC 9110, 15.2: a client takes a 1xx that it did not ask for; some servers send one to every POST.
  it('is what follows a 100 Continue', async () => {
    const answer = await answerTo(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
    );
    expect(answer).toMatchObject({ status: 200, body: Buffer.from('ok') });
  });

  it('is put together from chunks', async () => {
    const answer = await answerTo(
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\nx-trailer: 1\r\n\r\n',
    );
    expect(answer).toMatchObject({ status: 200, body: Buffer.from('abc') });
    expect(answer.failure).toBeUndefined();
  });

  it('ends with the connection where no length is given', async () => {
    const answer = await answerTo('HTTP/1.1 200 OK\r\n\r\nabc');
    expect(answer).toMatchObject({ status: 200, body: Buffer.from('abc') });
    expect(answer.failure).toBeUndefined();
  });

  it('has its content coding undone', async () => {
    const client = await onHttp((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain'));
    });
    expect((await client.send(get)).body.toString()).toBe('plain');
  });

  it('has its content codings undone that stand in two headers', async () => {
    const client = await onHttp((_request, response) => {
      response.setHeader('content-encoding', ['gzip', 'gzip']);
      response.end(gzipSync(gzipSync('plain')));
    });
    expect((await client.send(get)).body.toString()).toBe('plain');
  });

  it('of a status without a body has none', async () => {
    expect(await answerTo('HTTP/1.1 204 No Content\r\n\r\n', { end: false })).toMatchObject({
      status: 204,
      body: Buffer.alloc(0),
    });
  });
});

describe('no complete answer', () => {
  it('is a timeout where nothing comes', async () => {
    const client = await onBytes(() => undefined, 150);
    const answer = await client.send(get);
    expect(answer.failure).toEqual({ kind: 'timeout', message: 'no complete answer within 150 ms' });
    expect(answer.status).toBeUndefined();
  });

  it('is a timeout where the body drips for ever', async () => {
    const client = await onHttp((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    }, 200);
    const answer = await client.send(get);
    expect(answer).toMatchObject({ status: 200, failure: { kind: 'timeout' } });
    expect(answer.body.toString()).toMatch(/^\.+$/);
  });

  it('leaves the connections usable after a timeout', async () => {
    let asked = 0;
    const client = await onHttp((_request, response) => {
      asked += 1;
      if (asked > 4) response.end('ok');
    }, 200);
    const first = await Promise.all(Array.from({ length: 4 }, () => client.send(get)));
    expect(first.map(({ failure }) => failure?.kind)).toEqual(Array(4).fill('timeout'));
    expect((await client.send(get)).body.toString()).toBe('ok');
  });

  it.each([
    ['before the head', ''],
    ['in the head', 'HTTP/1.1 200 OK\r\ncontent-le'],
  ])('is a reset where the connection ends %s', async (_where, text) => {
    const answer = await answerTo(text);
    expect(answer.failure?.kind).toBe('reset');
    expect(answer.status).toBeUndefined();
  });

  it.each([
    ['in the body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'],
    ['between chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n'],
  ])('is a reset with a status where the connection ends %s', async (_where, text) => {
    expect(await answerTo(text)).toMatchObject({
      status: 200,
      body: Buffer.from('abc'),
      failure: { kind: 'reset' },
    });
  });

  it('is a reset where the connection is destroyed', async () => {
    const client = await onBytes((socket) => socket.resetAndDestroy());
    expect((await client.send(get)).failure?.kind).toBe('reset');
  });

  it('is a timeout where the body is shorter than announced and the connection stays', async () => {
    const answer = await answerTo('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc', {
      end: false,
      timeoutMs: 150,
    });
    expect(answer).toMatchObject({ status: 200, failure: { kind: 'timeout' } });
  });

  it('is refused where nobody listens', async () => {
    const server = await serveHttp(() => undefined);
    await server.close();
    expect((await clientOf(server.origin).send(get)).failure?.kind).toBe('refused');
  });

  it('is a name that is not found', async () => {
    const answer = await clientOf('http://no-such-host.invalid').send(get);
    expect(answer.failure?.kind).toBe('name-not-found');
  });

  it('is a matter of TLS where https is asked of a plain server', async () => {
    const server = await serveHttp((_request, response) => response.end());
    open.push(server);
    const answer = await clientOf(server.origin.replace('http:', 'https:')).send(get);
    expect(answer.failure?.kind).toBe('tls');
  });

  it.each([
    ['another protocol', '220 mail.example ESMTP\r\n'],
    ['a wrong version', 'HTTP/7.9 200 OK\r\n\r\n'],
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['a length that is no number', 'HTTP/1.1 200 OK\r\ncontent-length: abc\r\n\r\nabc'],
    ['a chunk size that is no number', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nab\r\n'],
    ['a header without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n'],
  ])('is a malformed response for %s', async (_what, text) => {
    expect((await answerTo(text)).failure?.kind).toBe('malformed-response');
  });

  it('is a malformed response where the coding is not what the header says', async () => {
    const answer = await answerTo('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}');
    expect(answer).toMatchObject({
      status: 200,
      failure: { kind: 'malformed-response', message: 'the content is not gzip, as its header says' },
    });
  });

  it('is too large for a bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024));
    const client = await onHttp((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const answer = await client.send(get);
    expect(answer.failure?.kind).toBe('too-large');
    expect(answer.body.length).toBeLessThan(100_000);
  });

  it('is too large for a head without end', async () => {
    const client = await onBytes((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = (): void => {
        while (socket.writable && socket.write(`x-${'a'.repeat(4096)}: 1\r\n`));
      };
      socket.on('drain', more);
      more();
    });
    expect((await client.send(get)).failure?.kind).toMatch(/^(?:too-large|malformed-response)$/);
  });

  it('stops an endless body at the limit, in bounded memory', async () => {
    let written = 0;
    const chunk = Buffer.alloc(256 * 1024);
    const client = await onBytes((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = (): void => {
        while (socket.writable) {
          written += chunk.length;
          if (!socket.write(chunk)) return;
        }
      };
      socket.on('drain', more);
      more();
    });
    const answer = await client.send(get);
    expect(answer).toMatchObject({ status: 200, failure: { kind: 'too-large' } });
    expect(answer.body.length).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it('is never put on the target where the request cannot be sent at all', async () => {
    const client = await onHttp((_request, response) => response.end());
    const answer = client.send({ ...get, path: '/a b' });
    await expect(answer.then(({ failure }) => failure?.kind)).rejects.toThrow();
  });

  it('is an interruption where the client is closed meanwhile', async () => {
    const client = await onHttp(() => undefined);
    const answer = client.send(get);
    await client.close();
    expect((await answer).failure?.kind).toBe('interrupted');
  });
});

describe('connections', () => {
  async function counted(listener: RequestListener): Promise<{ server: Loopback; client: HttpClient }> {
    const server = await serveHttp(listener);
    open.push(server);
    return { server, client: clientOf(server.origin) };
  }

  it('are shared, and no more than allowed', async () => {
    const { server, client } = await counted((_request, response) => {
      setTimeout(() => response.end(), 5);
    });
    await Promise.all(Array.from({ length: 20 }, () => client.send(get)));
    expect(server.connections()).toBe(4);
  });

  it('are kept by a dedicated connection, and by it alone', async () => {
    const { server, client } = await counted((_request, response) => response.end());
    const connection = client.openConnection();
    expect(connection.connections).toBe(0);
    await connection.send(get);
    await connection.send(get);
    expect(connection.connections).toBe(1);
    await client.send(get);
    expect(server.connections()).toBe(2);
    await connection.close();
    await connection.close();
  });

  it('are counted anew by a dedicated connection whose server closes them', async () => {
    const { client } = await counted((_request, response) => {
      response.writeHead(200, { connection: 'close' }).end();
    });
    const connection = client.openConnection();
    await connection.send(get);
    await connection.send(get);
    expect(connection.connections).toBe(2);
    await connection.close();
  });

  it('bear a server that closes each without a word after its answer', async () => {
    const client = await onBytes((socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\nok');
    });
    for (let count = 0; count < 10; count += 1) {
      const { body, failure } = await client.send(get);
      // A connection that is closed just as it is used is a reset, which the case client retries.
      if (failure === undefined) expect(body.toString()).toBe('ok');
      else expect(failure.kind).toBe('reset');
    }
  });
});

describe('a body of no chunks', () => {
  it('goes out as such', async () => {
    const client = await onHttp((request, response) => {
      let size = 0;
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
      });
      const { 'transfer-encoding': coding, 'content-length': length } = request.headers;
      request.on('end', () => response.end(`${coding} ${length} ${size}`));
    });
    const headers = [['transfer-encoding', 'chunked']] as const;
    const { body } = await client.send({ method: 'POST', path: '/', headers, body: Buffer.alloc(0) });
    expect(String(body)).toBe('chunked undefined 0');
  });
});

describe('an expectation', () => {
  it('is met by a gateway and a service, the one of which will close the connection', async () => {
    const client = await onBytes((socket) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\nconnection: close\r\n\r\n');
      socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 5\r\n\r\nplain');
    });
    const request = { ...get, method: 'POST', body: Buffer.from('{}') };
    const { status, body } = await client.send({ ...request, wire: ['expectation'] });
    expect(`${status} ${body}`).toBe('200 plain');
  });
});

describe('an offer to go on in HTTP/2', () => {
  it('is made as Java makes it, and answered in HTTP/1.1', async () => {
    const client = await onHttp((request, response) => {
      const { upgrade, connection } = request.headers;
      response.end(`${upgrade} ${connection} ${'http2-settings' in request.headers}`);
    });
    const { status, body } = await client.send({ ...get, wire: ['offer of HTTP/2'] });
    expect(`${status} ${body}`).toBe('200 h2c Upgrade, HTTP2-Settings true');
  });

  it('leaves room for as many headers as any other call', async () => {
    const cookies = Array.from({ length: 1200 }, (_, at) => `cookie${at}=crumb; Path=/; HttpOnly`);
    const client = await onHttp((_request, response) => response.setHeader('set-cookie', cookies).end());
    const counts = [get, { ...get, wire: ['offer of HTTP/2'] } as const].map(async (request) => {
      const { headers } = await client.send(request);
      return headers.filter(([name]) => name === 'set-cookie').length;
    });
    expect(await Promise.all(counts)).toEqual([cookies.length, cookies.length]);
  });

  it.each([[['offer of HTTP/2']], [['offer of HTTP/2', 'head in two packets']]] as const)(
    'is answered on the first stream where the server takes it: %j',
    async (wire) => {
      let heads = 0;
      const client = await onBytes((socket, head) => {
        if (!head.startsWith('POST ')) return;
        heads += 1;
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n');
        socket.write('\0\0\0\x04\0\0\0\0\0', 'latin1');
        socket.write('\0\0\x01\x01\x04\0\0\0\x01\x88\0\0\x05\0\x01\0\0\0\x01plain', 'latin1');
      });
      const { status, body } = await client.send({ ...get, method: 'POST', wire });
      expect(`${status} ${body}, ${heads} request`).toBe('200 plain, 1 request');
    },
  );
});
