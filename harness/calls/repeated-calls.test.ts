import { afterEach, describe, expect, it } from 'vitest';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { serveBytes } from '../http/loopback-for-tests.ts';
import type { CallSpec } from '../requests/call-spec.ts';
import {
  clientOf,
  closeAll,
  contextOf,
  create,
  open,
  probe,
  serve,
  sessions,
} from './case-client-for-tests.ts';

afterEach(closeAll);

describe('a throttled call', () => {
  it('is tried again, and left out of what the case sees', async () => {
    const { server } = await serve((_arrival, count) => (count < 4 ? { status: 429 } : {}));
    const context = await contextOf(server.origin);
    const client = clientOf(context, ids.bootstrap);
    const { response } = await client.call(probe);
    expect(response?.status).toBe(200);
    expect(client.exchanges).toHaveLength(1);
    expect(context.recorded.map((exchange) => exchange.response?.status)).toEqual([429, 429, 429, 200]);
    expect(context.pauses.length).toBeGreaterThan(0);
  });

  it('never reads Retry-After', async () => {
    const { server } = await serve((_arrival, count) =>
      count < 2 ? { status: 429, headers: { 'retry-after': '3600' } } : {},
    );
    const context = await contextOf(server.origin);
    await clientOf(context, ids.bootstrap).call(probe);
    expect(Math.max(...context.pauses)).toBeLessThan(8_000);
  });

  it('of a POST is prepared anew', async () => {
    let cancels = 0;
    let created = 0;
    const { server, arrivals } = await serve(({ line }) => {
      if (line === create) {
        created += 1;
        return { json: { id: `cs_${created}` } };
      }
      cancels += 1;
      return cancels === 1 ? { status: 429 } : {};
    });
    const client = clientOf(await contextOf(server.origin, { target: sessions }), ids.cancel);
    await client.call(probe);
    expect(arrivals.map(({ line }) => line)).toEqual([
      create,
      'POST /api/v1/open/hosted/checkout/sessions/cs_1/cancel',
      create,
      'POST /api/v1/open/hosted/checkout/sessions/cs_2/cancel',
    ]);
  });

  it('that never gets through ends the case, for now', async () => {
    const { server } = await serve(() => ({ status: 429 }));
    const client = clientOf(await contextOf(server.origin), ids.bootstrap);
    await expect(client.call(probe)).rejects.toMatchObject({
      message: 'the target throttled every try',
      transient: true,
    });
    expect(client.exchanges).toEqual([]);
  });

  it('is an answer where it is asked for as one', async () => {
    const { server, arrivals } = await serve(() => ({ status: 429 }));
    const { response } = await clientOf(await contextOf(server.origin), ids.bootstrap).call({
      ...probe,
      acceptThrottled: true,
    });
    expect([response?.status, arrivals.length]).toEqual([429, 1]);
  });
});

describe('connections', () => {
  it('that a gateway has lost are replaced by a fresh one, at once', async () => {
    const answered = new WeakMap<object, number>();
    const server = await serveBytes((socket) => {
      const count = (answered.get(socket) ?? 0) + 1;
      answered.set(socket, count);
      const status = count % 3 === 0 ? '502 Bad Gateway' : '200 OK';
      socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 2\r\n\r\n{}`);
    });
    open.push(() => server.close());
    const context = await contextOf(server.origin);
    const client = clientOf(context, ids.bootstrap);
    for (let call = 0; call < 12; call += 1) expect((await client.call(probe)).response?.status).toBe(200);
    const statuses = context.recorded.map(({ response }) => response?.status);
    expect(statuses.filter((status) => status === 502).length).toBeGreaterThan(2);
    expect(context.pauses).toEqual([]);
  });

  it('that went stale are replaced by a fresh one, and the call is repeated', async () => {
    let requests = 0;
    const server = await serveBytes((socket) => {
      requests += 1;
      if (requests === 2) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    });
    open.push(() => server.close());
    const context = await contextOf(server.origin);
    const client = clientOf(context, ids.bootstrap);
    await client.call(probe);
    const { response, request } = await client.call(probe);
    expect(response?.status).toBe(200);
    expect(request.connection).toBe('fresh');
    expect(client.exchanges).toHaveLength(2);
    expect(context.recorded.map(({ failure }) => failure?.kind)).toEqual([undefined, 'reset', undefined]);
  });

  it('that are cut again and again are what the case sees', async () => {
    const server = await serveBytes((socket) => socket.destroy());
    open.push(() => server.close());
    const { failure } = await clientOf(await contextOf(server.origin), ids.bootstrap).call(probe);
    expect(failure?.kind).toBe('reset');
    expect(server.connections()).toBe(2);
  });

  it('cut in the body are not taken for stale', async () => {
    const server = await serveBytes((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}'));
    open.push(() => server.close());
    const { failure, response } = await clientOf(await contextOf(server.origin), ids.bootstrap).call(probe);
    expect([failure?.kind, response?.status, server.connections()]).toEqual(['reset', 200, 1]);
  });

  it('are called reused only after an authenticated call was answered on them', async () => {
    const { server } = await serve(({ headers }) => ({
      status: headers.authorization === undefined ? 401 : 200,
    }));
    const context = await contextOf(server.origin);
    const client = clientOf(context, ids.identity);
    const connection = client.openConnection();
    const without: CallSpec = { ...probe, credential: context.keys.none };
    for (const spec of [without, without, probe, without])
      await client.call({ ...spec, connection: connection });
    await client.call({ ...without, connection: 'fresh' });
    await client.call(without);
    expect(client.exchanges.map(({ request }) => request.connection)).toEqual([
      'fresh',
      'fresh',
      'fresh',
      'reused',
      'fresh',
      'shared',
    ]);
  });

  it('are not called reused where the server has closed the authenticated one', async () => {
    const { server } = await serve(() => ({ headers: { connection: 'close' } }));
    const context = await contextOf(server.origin);
    const client = clientOf(context, ids.identity);
    const connection = client.openConnection();
    await client.call({ ...probe, connection: connection });
    const { request } = await client.call({
      ...probe,
      credential: context.keys.none,
      connection: connection,
    });
    expect(server.connections()).toBe(2);
    expect(request.connection).toBe('fresh');
  });
});
