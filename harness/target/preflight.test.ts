import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { openContext, type TestContext } from '../calls/run-context-for-tests.ts';
import { type Loopback, serveBytes, serveHttp } from '../http/loopback-for-tests.ts';
import { keysRefused } from './diagnoses.ts';
import { type Preflight, reachTarget, runPreflight } from './preflight.ts';

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function contextOf(server: Loopback, timeoutMs = 5_000): Promise<TestContext> {
  open.push(() => server.close());
  const context = await openContext(server.origin, { timeoutMs, context: { sleep: async () => undefined } });
  open.push(() => context.client.close());
  return context;
}

async function preflightAt(listener: RequestListener): Promise<Preflight> {
  return runPreflight(await contextOf(await serveHttp(listener)));
}

const answering = (status: number): Promise<Loopback> =>
  serveHttp((_request, response) => {
    response.writeHead(status).end();
  });

it('looks for a firewall without the values that the target file excludes', async () => {
  const queries: string[] = [];
  const server = await serveHttp((request, response) => {
    queries.push(request.url?.split('?')[1] ?? '');
    response.setHeader('content-type', 'application/json').end('{}');
  });
  const context = await contextOf(server);
  const exclusions = [
    { class: 'sql', reason: 'test' },
    { class: 'markup', parameter: 'slug', reason: 'test' },
  ];
  await runPreflight({ ...context, target: { ...context.target, exclusions } });
  expect(queries.filter((query) => query !== '').join()).toContain('script');
  expect(queries.join()).not.toContain('OR');
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
      '(raise --timeout, or check whether a firewall drops the packets)',
    );
  });

  it('says that a port speaks no TLS', async () => {
    const server = await answering(200);
    open.push(() => server.close());
    const context = await openContext(server.origin.replace('http:', 'https:'));
    open.push(() => context.client.close());
    expect(await reachTarget(context)).toContain('(does the port speak plain HTTP? Then write http://)');
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
    const { accepts } = await preflightAt((request, response) => {
      response.writeHead(request.headers.authorization === 'pk_ScopedAbc12345' ? 200 : 401).end();
    });
    expect(accepts).toEqual({ scoped: true, unscoped: false });
  });

  it('does not say a key is refused where one operation accepts it', async () => {
    const { accepts } = await preflightAt((request, response) => {
      response.writeHead(request.url === '/api/v1/open/installation/identity' ? 200 : 401).end();
    });
    expect(accepts.scoped).toBe(true);
  });

  it('does not say a key is refused where nothing was answered', async () => {
    const { accepts } = await preflightAt((request, response) => {
      if (request.headers.authorization === undefined) response.end();
      else request.socket.destroy();
    });
    expect(accepts.scoped).toBeUndefined();
  });
});

function always(status: number, type: string, body: string, headers = {}): RequestListener {
  return (_request, response) => response.writeHead(status, { 'content-type': type, ...headers }).end(body);
}

const nginx502 =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n';
const json = 'application/json';

describe('a base URL that leads elsewhere', () => {
  it.each([
    [
      'a wrong base path',
      always(404, json, '{"code":"not_found"}'),
      'Is the path before /api/v1 in the base URL right',
    ],
    [
      'a service that is down behind its proxy',
      always(502, 'text/html', nginx502),
      'every response is 502 (HTML page "502 Bad Gateway", from nginx). Is the service down behind its proxy?',
    ],
    ['a service that fails', always(500, json, '{}'), 'every response is 500. Is the service running?'],
    [
      'another website',
      always(200, 'text/html', '<!doctype html><title>Welcome</title>'),
      'Is this another website',
    ],
    [
      'a redirect to another address',
      always(301, json, '', { location: 'https://shop.example/' }),
      'to https://shop.example/',
    ],
    [
      'a gateway that asks for credentials',
      always(401, json, '{}'),
      'Does a gateway in front ask for credentials',
    ],
    ['a firewall', always(403, 'text/html', '<h1>no</h1>'), 'Does a firewall refuse the harness'],
  ])('is told of %s, with its likely cause', async (_what, listener, cause) => {
    const { unreachable, discovered, accepts } = await preflightAt(listener);
    expect(unreachable).toMatch(
      /^No valid call at http:\/\/127\.0\.0\.1:\d+ is answered with 200 and JSON: /,
    );
    expect(unreachable).toContain(cause);
    expect(discovered).toEqual([]);
    expect(accepts).toEqual({ scoped: undefined, unscoped: undefined });
  });

  it('is not told where one read is answered with 200', async () => {
    const { unreachable } = await preflightAt((request, response) => {
      const isContact = request.url === '/api/v1/public/contact';
      response.writeHead(isContact ? 200 : 500, { 'content-type': json }).end('{}');
    });
    expect(unreachable).toBeUndefined();
  });
});

describe('keys', () => {
  const service =
    (accepts: (authorization: string | undefined) => boolean): RequestListener =>
    (request, response) => {
      const isOpen = !request.url?.startsWith('/api/v1/open/') || accepts(request.headers.authorization);
      response.writeHead(isOpen ? 200 : 401, { 'content-type': json }).end('{}');
    };

  it('that are refused everywhere are told once, with the likely causes', async () => {
    expect((await preflightAt(service(() => false))).keysRefused).toBe(keysRefused);
  });

  it('of which one is accepted are not', async () => {
    const first: string[] = [];
    const preflight = await preflightAt(
      service((authorization = '') => {
        if (authorization !== '') first.push(authorization);
        return authorization === first[0];
      }),
    );
    expect(preflight.keysRefused).toBeUndefined();
  });
});
