import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { exampleExchange } from '../checks/example-exchange.ts';
import { SecretRegister } from '../evidence/secret-register.ts';
import { type Loopback, serveHttp } from '../http/loopback-for-tests.ts';
import { recordBody } from '../http/record-answer.ts';
import type { Exchange, RecordedRequest } from '../model/exchange.ts';
import { connectionNote, curlLine, quote } from './curl-line.ts';

function exchangeOf(request: Partial<RecordedRequest>): Exchange {
  return exampleExchange({ status: 200, request });
}

const bodyOf = (bytes: Buffer | string): ReturnType<typeof recordBody> =>
  recordBody(Buffer.from(bytes), new SecretRegister());

test('connectionNote tells of a connection that curl does not reuse', () => {
  expect(connectionNote(exchangeOf({ connection: 'reused' }))).toContain('fresh connection');
  for (const connection of ['fresh', 'shared'] as const)
    expect(connectionNote(exchangeOf({ connection }))).toBeUndefined();
});

test('connectionNote tells of a body that curl sends at once', () => {
  const exchange = { ...exchangeOf({}), row: { wire: ['body in two packets'] } };
  expect(connectionNote(exchange)).toContain('at once');
});

describe('curlLine', () => {
  it('writes the names of headers in capitals where they went out so', () => {
    const exchange = exchangeOf({ headers: [['x-tenant', 'acme']] });
    const line = curlLine({ ...exchange, row: { wire: ['names in capitals'] } }, 'https://shop.example');
    expect(line).toContain("-H 'X-TENANT: acme'");
  });

  it('is one line that a person can read', () => {
    const exchange = exchangeOf({
      method: 'POST',
      path: '/gateway/api/v1/sessions',
      headers: [
        ['user-agent', 'commerce-conformance/1'],
        ['accept', 'application/json'],
        ['x-request-id', 'run/1'],
        ['authorization', 'Bearer <scoped key>'],
        ['content-type', 'application/json'],
      ],
      body: bodyOf('{"a":1}'),
    });
    expect(curlLine(exchange, 'https://shop.example/gateway').replace(/--data-\w+/, '--data')).toBe(
      `curl -i --path-as-is -g -X POST https://shop.example/gateway/api/v1/sessions -H 'authorization: Bearer '"$COMMERCE_KEY" -H 'content-type: application/json' --data '{"a":1}'`,
    );
  });

  it('has variables for good keys, and words for others', () => {
    const line = (value: string): string =>
      curlLine(exchangeOf({ headers: [['authorization', value]] }), 'https://h');
    expect(line('<unscoped key>')).toContain(`-H 'authorization: '"$COMMERCE_KEY_UNSCOPED"`);
    expect(line('<unknown key>')).toContain(`-H 'authorization: <unknown key>'`);
  });
});

const run = promisify(execFile);
const hasCurl = (() => {
  try {
    execFileSync('sh', ['-c', 'curl --version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test.each(['\r\n{"a":1}\t', '{"a":"\u202e\u200b"}', '\ufeff{}', '\u2028'])(
  'holds nothing that a report would show escaped: %j',
  (text) => {
    const body = {
      text,
      encoding: 'utf-8' as const,
      bytes: Buffer.byteLength(text),
      truncated: false,
      json: 'malformed' as const,
    };
    expect(curlLine(exchangeOf({ method: 'POST', body }), 'https://h')).toMatch(/^[\x20-\x7e]+$/);
  },
);

describe.skipIf(!hasCurl)(
  `a real shell${hasCurl ? '' : ' (skipped: there is no curl on this machine)'}`,
  () => {
    let server: Loopback;
    let folder: string;
    let seen: { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer } | undefined;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'curl-line-'));
      server = await serveHttp((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const { method = '', url = '', headers } = request;
          seen = { method, url, headers, body: Buffer.concat(chunks) };
          response.end('ok');
        });
      });
    });
    afterAll(async () => {
      await server.close();
      await rm(folder, { recursive: true });
    });

    async function sent(request: Partial<RecordedRequest>): Promise<NonNullable<typeof seen>> {
      seen = undefined;
      const line = curlLine(exchangeOf(request), server.origin);
      await run('sh', ['-c', `${line} --silent --max-time 5 --noproxy '*'`], {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          HOME: '/home/x',
          COMMERCE_KEY: 'pk_$(x) `y`',
          COMMERCE_KEY_UNSCOPED: 'pk_"\\',
        },
      });
      return seen ?? expect.fail(`nothing arrived for ${line}`);
    }

    it.each([
      '/',
      '//double//slashes',
      '/a/../b/./c',
      '/%2e%2e/%2E%2e%2f',
      '/%zz/%',
      '/{a}/[1-3]/{b,c}',
      "/it's",
      '/"quoted"',
      '/$HOME/`id`/$(id)',
      '/a;b&c|d<e>f',
      '/!history!/~user/*',
      '/a?b=c&d=%20',
      '/back\\slash',
      '/^caret`',
    ])('sends the path %s as it was', async (path) => {
      expect((await sent({ path })).url).toBe(path);
    });

    it.each(['a'.repeat(4096), `x${'%C3%A4'.repeat(200)}y'z`, `${'0'.repeat(64)}${'-'.repeat(100)}`])(
      'sends a long path as it was, in a short line',
      async (value) => {
        expect(curlLine(exchangeOf({ path: `/${value}` }), server.origin).length).toBeLessThan(300);
        expect((await sent({ path: `/${value}` })).url).toBe(`/${value}`);
      },
    );

    it('sends a deep body as it was, in a short line', async () => {
      const deep = `${'{"a":['.repeat(500)}1${']}'.repeat(500)}`;
      const request = { method: 'POST', body: bodyOf(deep) };
      expect(curlLine(exchangeOf(request), server.origin).length).toBeLessThan(300);
      expect((await sent(request)).body.toString()).toBe(deep);
    });

    it('sends a path with a hash sign as it was', async () => {
      expect((await sent({ path: '/a#b' })).url).toBe('/a#b');
    });

    it.each([
      '{"a":1}',
      `it's "quoted" 'twice'`,
      "'",
      "''",
      `'"'"'`,
      '$HOME `id` $(id) \\n \\',
      'two\nlines\r\nand more\n',
      ' spaces around ',
      '{"name":"Wäsche 東京 😀"}',
      'a=b&c=d',
      '-d',
      '<scoped',
      '%41%00',
    ])('sends the body %j as it was', async (body) => {
      const { body: got, method } = await sent({ method: 'POST', body: bodyOf(body) });
      expect([method, got.toString()]).toEqual(['POST', body]);
    });

    it.each(['@', '@secret.txt', '@{"a":1}'])('sends the body %j, not a file', async (body) => {
      writeFileSync(join(folder, 'secret.txt'), 'from a file');
      expect((await sent({ method: 'POST', body: bodyOf(body) })).body.toString()).toBe(body);
    });

    it('sends bytes that are not text as they were', async () => {
      const bytes = Buffer.from([0x22, 0xff, 0xfe, 0x22]);
      expect((await sent({ method: 'POST', body: bodyOf(bytes) })).body).toEqual(bytes);
    });

    it('sends a GET with a body as a GET', async () => {
      expect(await sent({ method: 'GET', body: bodyOf('{}') })).toMatchObject({
        method: 'GET',
        body: Buffer.from('{}'),
      });
    });

    it('sends no body where there was none', async () => {
      const { method, headers, body } = await sent({ method: 'POST' });
      expect([method, headers['content-type'], body.length]).toEqual(['POST', undefined, 0]);
      expect((await sent({ method: 'POST', body: bodyOf('') })).body).toHaveLength(0);
    });

    it('sends no content type where there was none', async () => {
      expect((await sent({ method: 'POST', body: bodyOf('x') })).headers['content-type']).toBeUndefined();
    });

    it('sends headers as they were, empty and unusual ones too', async () => {
      const { headers } = await sent({
        headers: [
          ['x-empty', ''],
          ['x-quotes', `it's "$HOME" \`id\` \\`],
          ['content-type', 'text/plain'],
        ],
      });
      expect(headers).toMatchObject({
        'x-empty': '',
        'x-quotes': `it's "$HOME" \`id\` \\`,
        'content-type': 'text/plain',
      });
    });

    it('puts the keys in from the environment, whatever they hold', async () => {
      const { headers, body } = await sent({
        method: 'POST',
        headers: [
          ['authorization', 'Bearer <scoped key>'],
          ['x-both', '<unscoped key>, <scoped key>'],
        ],
        body: bodyOf(`{"it's":"<scoped key>"}`),
      });
      expect(headers.authorization).toBe('Bearer pk_$(x) `y`');
      expect(headers['x-both']).toBe('pk_"\\, pk_$(x) `y`');
      expect(body.toString()).toBe(`{"it's":"pk_$(x) \`y\`"}`);
    });

    it('sends an empty key as an empty key', async () => {
      const { headers } = await sent({ headers: [['authorization', '<empty key>']] });
      expect(headers.authorization ?? '').toBe('');
    });

    it('sends a body that is a tilde, not the name of a folder', async () => {
      expect((await sent({ method: 'POST', body: bodyOf('~') })).body.toString()).toBe('~');
    });

    it.each(['', ' ', "'", "a'b", '$x', '\\', '\n', '-n', 'a b', '*', 'é'])(
      'takes %j for one word',
      async (text) => {
        const { stdout } = await run('sh', ['-c', `printf %s ${quote(text)}`], {
          env: { HOME: '/h', x: 'y' },
        });
        expect(stdout).toBe(text);
      },
    );
  },
);

test('a header that is named like a member of every object is shown', () => {
  const exchange = exchangeOf({ headers: [['constructor', 'x']] });
  expect(curlLine(exchange, 'https://a.example')).toContain("-H 'constructor: x'");
});
