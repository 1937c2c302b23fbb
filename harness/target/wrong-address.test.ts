import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { serveHttp } from '../http/loopback-for-tests.ts';
import { openContext } from '../requests/run-context-for-tests.ts';
import { type Preflight, runPreflight } from './preflight.ts';
import { keysRefused } from './wrong-address.ts';

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function preflightOf(listener: RequestListener): Promise<Preflight> {
  const server = await serveHttp(listener);
  open.push(() => server.close());
  const context = await openContext(server.origin, { context: { sleep: async () => undefined } });
  open.push(() => context.client.close());
  return runPreflight(context);
}

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
    const { unreachable, discovered, accepts } = await preflightOf(listener);
    expect(unreachable).toMatch(
      /^No valid call at http:\/\/127\.0\.0\.1:\d+ is answered with 200 and JSON: /,
    );
    expect(unreachable).toContain(cause);
    expect(discovered).toEqual([]);
    expect(accepts).toEqual({ scoped: undefined, unscoped: undefined });
  });

  it('is not told where one read is answered with 200', async () => {
    const { unreachable } = await preflightOf((request, response) => {
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
    expect((await preflightOf(service(() => false))).keysRefused).toBe(keysRefused);
  });

  it('of which one is accepted are not', async () => {
    const first: string[] = [];
    const preflight = await preflightOf(
      service((authorization = '') => {
        if (authorization !== '') first.push(authorization);
        return authorization === first[0];
      }),
    );
    expect(preflight.keysRefused).toBeUndefined();
  });
});
