import { afterEach, describe, expect, it } from 'vitest';
import { type Loopback, serveBytes, serveHttp } from '../http/loopback-for-tests.ts';
import { openContext, type TestContext } from '../requests/run-context-for-tests.ts';
import { reachTarget, runPreflight } from './preflight.ts';

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function contextOf(server: Loopback, timeoutMs = 5_000): Promise<TestContext> {
  open.push(() => server.close());
  const context = await openContext(server.origin, { timeoutMs });
  open.push(() => context.client.close());
  return context;
}

const answering = (status: number): Promise<Loopback> =>
  serveHttp((_request, response) => {
    response.writeHead(status).end();
  });

describe('reachTarget', () => {
  it.each([200, 301, 404, 500])('is content with any answer, such as %i', async (status) => {
    expect(await reachTarget(await contextOf(await answering(status)))).toBeUndefined();
  });

  it('is content where one of several operations answers', async () => {
    const server = await serveHttp((request, response) => {
      if (request.url === '/api/v1/bootstrap') request.socket.destroy();
      else response.end();
    });
    expect(await reachTarget(await contextOf(server))).toBeUndefined();
  });

  it('says that nobody listens', async () => {
    const server = await answering(200);
    const context = await contextOf(server);
    await server.close();
    expect(await reachTarget(context)).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/bootstrap does not answer: .*ECONNREFUSED.*\(is the service running, and is the port right\?\)$/,
    );
  });

  it('says that no answer comes in time', async () => {
    const context = await contextOf(await serveBytes(() => undefined), 50);
    expect(await reachTarget(context)).toContain(
      '(raise --timeout, or see whether a firewall drops the packets)',
    );
  });

  it('says that it is no HTTP', async () => {
    const context = await contextOf(await serveBytes((socket) => socket.end('220 mail\r\n')));
    expect(await reachTarget(context)).toContain('(is this an HTTP service, and is the scheme right?)');
  });
});

describe('runPreflight', () => {
  it('sends nothing more to a target that is not there', async () => {
    const server = await answering(200);
    const context = await contextOf(server);
    await server.close();
    expect(await runPreflight(context)).toMatchObject({
      unreachable: expect.stringContaining('does not answer'),
      discovered: [],
      accepts: { scoped: undefined, unscoped: undefined },
    });
    expect(context.recorded).toHaveLength(1);
  });

  it('says which keys are accepted', async () => {
    const server = await serveHttp((request, response) => {
      response.writeHead(request.headers.authorization === 'pk_ScopedAbc12345' ? 200 : 401).end();
    });
    expect((await runPreflight(await contextOf(server))).accepts).toEqual({ scoped: true, unscoped: false });
  });

  it('does not say a key is refused where one operation accepts it', async () => {
    const server = await serveHttp((request, response) => {
      response.writeHead(request.url === '/api/v1/open/installation/identity' ? 200 : 401).end();
    });
    expect((await runPreflight(await contextOf(server))).accepts.scoped).toBe(true);
  });

  it('does not say a key is refused where nothing was answered', async () => {
    const server = await serveHttp((request, response) => {
      if (request.headers.authorization === undefined) response.end();
      else request.socket.destroy();
    });
    expect((await runPreflight(await contextOf(server))).accepts.scoped).toBeUndefined();
  });
});
