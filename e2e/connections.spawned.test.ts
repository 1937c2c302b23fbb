import { execFile } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { stringify } from 'yaml';
import { startService } from '../fixtures/reference-service/start-service.ts';
import { certificates } from '../harness/http/certificates-for-tests.ts';
import {
  frontByHttp2,
  frontBySocket,
  frontByTls,
  startProxy,
  type TestProxy,
} from '../harness/http/fronts-for-tests.ts';
import { type Loopback, serveHttp } from '../harness/http/loopback-for-tests.ts';
import { type Ended, readReport, test } from './cli-for-tests.ts';

const run = promisify(execFile);
const { authority, server, client } = certificates;
const one = '--operation getPublicBootstrap getPublicRuntimeConfig --check SURFACE-1';
/** Of the proxy; contains what must be percent-encoded. */
const password = 'pr0xy-p@ss/word';
const withPassword = (port: number): string => `http://me:${encodeURIComponent(password)}@127.0.0.1:${port}`;

const open: Array<{ close(): Promise<void> }> = [];
function opened<T extends { close(): Promise<void> }>(thing: T): T {
  open.push(thing);
  return thing;
}
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

async function writePems(folder: string): Promise<void> {
  const files = { 'ca.pem': authority.cert, 'client.pem': client.cert, 'client.key': client.key };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/** Knows no operation at all. */
const wrong: RequestListener = ({ url }, response) => {
  const isMissing = url?.endsWith('/bootstrap') === true;
  response.writeHead(isMissing ? 404 : 200, { 'content-type': 'application/json' }).end('{}');
};

const flat = ({ stdout }: Ended): string => stdout.replaceAll(/\s+/g, ' ');

const hasCurl = await run('curl', ['--version']).then(
  ({ stdout }) => stdout.includes('HTTP2') && stdout.includes('UnixSockets'),
  () => false,
);

interface Way {
  readonly baseUrl: string;
  readonly flags: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly connection?: unknown;
  readonly curl: string;
}

/** Every way to a target, made to lead to one that is wrong. */
const ways: Readonly<Record<string, (target: Loopback, folder: string) => Promise<Way>>> = {
  'TLS with a certificate authority and a client certificate': async ({ origin }) => {
    const tls = { ...server, ca: authority.cert, requestCert: true, rejectUnauthorized: true };
    const { port } = opened(await frontByTls(origin, tls));
    return {
      baseUrl: `https://127.0.0.1:${port}`,
      flags: '--ca ca.pem --client-cert client.pem --client-key client.key',
      curl: '--cacert ca.pem --cert client.pem --key client.key ',
    };
  },
  'a proxy with credentials': async ({ origin }) => {
    const { port } = opened(await startProxy({ credentials: `me:${password}` }));
    return {
      baseUrl: origin,
      flags: '--rate 1000',
      env: { HTTP_PROXY: withPassword(port) },
      connection: { proxy: { host: `http://127.0.0.1:${port}`, variable: 'HTTP_PROXY' } },
      curl: '--proxytunnel --proxy "$HTTP_PROXY" ',
    };
  },
  'a Unix socket': async ({ origin }, folder) => {
    const path = join(folder, 'service.sock');
    opened(await frontBySocket(origin, path));
    return {
      baseUrl: 'http://localhost/gateway',
      flags: `--unix-socket ${path}`,
      env: { HTTP_PROXY: 'http://127.0.0.1:9' },
      connection: { unixSocket: path },
      curl: `--unix-socket ${path} `,
    };
  },
  'HTTP/2 alone, through a proxy': async ({ origin }) => {
    const { port } = opened(await frontByHttp2(origin, { ...server, allowHTTP1: false }));
    const proxy = opened(await startProxy());
    return {
      baseUrl: `https://localhost:${port}`,
      flags: '--insecure --rate 1000',
      env: { https_proxy: `127.0.0.1:${proxy.port}` },
      connection: {
        proxy: { host: `http://127.0.0.1:${proxy.port}`, variable: 'https_proxy' },
        protocol: 'HTTP/2',
      },
      curl: '--proxytunnel --proxy "$https_proxy" --insecure ',
    };
  },
};

describe.each(Object.entries(ways))('by %s', (_name, prepare) => {
  test('a target is tested, tried by doctor, replayed, and asked again by curl', async ({ folder, cli }) => {
    const target = opened(await serveHttp(wrong));
    await writePems(folder);
    const { baseUrl, flags, env = {}, connection, curl } = await prepare(target, folder);
    const evaluated = await cli(`run --base-url ${baseUrl} ${flags} ${one}`, env);
    expect(evaluated.exitCode, evaluated.stdout + evaluated.stderr).toBe(1);
    const report = await readReport(join(folder, 'conformance-report'));
    expect(report.target.connection).toEqual(connection);
    const [finding] = report.results.flatMap(({ findings }) => findings);
    expect(finding?.reproduction).toContain(`curl -i --path-as-is -g ${curl}${baseUrl}/api/v1/bootstrap`);

    const [doctor, replayed] = await Promise.all([
      cli(`doctor --base-url ${baseUrl} ${flags}`, env),
      // Of the connection the report knows all that it needs.
      cli(`replay ${finding?.id} --rate 1000`, env),
    ]);
    expect(doctor.stdout, doctor.stderr).toContain('Reachable   yes');
    expect(replayed.stdout, replayed.stderr).toContain('still there: seen in 3 of 3 tries');
    expect(replayed.exitCode).toBe(1);
    expect(JSON.stringify([evaluated, doctor, replayed, report])).not.toContain('pr0xy');
    if (hasCurl) {
      const { stdout } = await run('sh', ['-c', `${finding?.reproduction} --silent --max-time 10`], {
        cwd: folder,
        env: { PATH: process.env['PATH'], ...env },
      });
      expect(stdout).toMatch(/^HTTP\/\S+ 404/m);
    }
  });
});

describe('HTTP/2', () => {
  test('carries a whole run: the reference service conforms, and its certificate is verified', async ({
    folder,
    cli,
  }) => {
    const service = opened(await startService());
    const { origin } = new URL(service.baseUrl);
    const { port } = opened(await frontByHttp2(origin, { ...server, allowHTTP1: false }));
    const target = {
      ...service.target,
      baseUrl: service.baseUrl.replace(origin, `https://localhost:${port}`),
    };
    await writePems(folder);
    await writeFile(join(folder, 'target.yaml'), stringify({ ...target, options: { ca: 'ca.pem' } }));
    const evaluated = await cli('run --target target.yaml --certify --development --strict');
    expect(evaluated.exitCode, evaluated.stdout + evaluated.stderr).toBe(0);
    const report = await readReport(join(folder, 'conformance-report'));
    expect(report).toMatchObject({
      verdict: 'conformant',
      complete: true,
      summary: { fail: 0, warn: 0, inconclusive: 0, error: 0 },
      target: { connection: { protocol: 'HTTP/2' } },
    });
    expect(evaluated.stdout).toContain('over HTTP/2');
    const har = await readFile(join(folder, 'conformance-report', 'evidence.har'), 'utf8');
    expect(har).toContain('"httpVersion":"HTTP/2"');
    expect(har).not.toContain('"httpVersion":"HTTP/1.1"');
    const verified = await cli('verify conformance-report --development --require self-declared');
    expect(verified.exitCode, verified.stdout).toBe(0);
  });

  test.for([
    ['connection-remembers-its-key', 'AUTH-2', 'AUTH-2'],
    // The first check evaluates the requests of the second.
    ['create-answers-201', 'SUCCESS-1', 'SUCCESS-1 SURFACE-1 --operation createHostedCheckoutSession'],
  ] as const)('carries what finds %s', async ([fault, requirement, checks], { folder, serve, cli }) => {
    const served = await serve('--fault', fault);
    const { baseUrl } = served.target;
    const { origin } = new URL(baseUrl);
    const { port } = opened(await frontByHttp2(origin, { ...server, allowHTTP1: false }));
    const flags = `--target ${served.file} --base-url ${baseUrl.replace(origin, `https://localhost:${port}`)}`;
    const evaluated = await cli(`run ${flags} --insecure --check ${checks}`);
    expect(evaluated.exitCode, evaluated.stdout).toBe(1);
    const report = await readReport(join(folder, 'conformance-report'));
    const failed = report.results.filter(({ outcome }) => outcome === 'fail');
    expect(failed.map((result) => result.requirement)).toContain(requirement);
    expect(failed[0]?.findings[0]?.exchange.request).toMatchObject({
      protocol: 'HTTP/2',
      ...(requirement === 'AUTH-2' ? { connection: 'reused' } : {}),
    });
  });
});

describe.concurrent('what cannot be connected by', () => {
  test.for<[what: string, flags: string, ...said: string[]]>([
    ['a missing authority file', '--ca none.pem', 'none.pem: the authority file of --ca does not exist'],
    [
      'a file that is not PEM',
      '--ca text.pem',
      '--ca: text.pem is not the PEM file of a certificate',
      'openssl x509 -inform der',
    ],
    [
      'a broken certificate',
      '--ca broken.pem',
      '--ca: broken.pem is not the PEM file of a certificate',
      'a certificate in it cannot be read',
    ],
    ['a certificate without its key', '--client-cert client.pem', '--client-cert: --client-key is missing'],
    ['a key without its certificate', '--client-key client.key', '--client-key: --client-cert is missing'],
    [
      'a key of another certificate',
      '--client-cert ca.pem --client-key client.key',
      '--client-key: client.key is not the key of the certificate in ca.pem',
    ],
    [
      'a certificate for a key',
      '--client-cert client.pem --client-key ca.pem',
      '--client-key: ca.pem is not the PEM file of a private key',
    ],
    [
      'an encrypted key',
      '--client-cert client.pem --client-key locked.key',
      '--client-key: the key in locked.key is encrypted',
      'openssl pkey',
    ],
    [
      'a socket that is not there',
      '--unix-socket none.sock',
      '--unix-socket: there is no socket none.sock',
      'start the service first',
    ],
    ['a socket that is none', '--unix-socket ca.pem', '--unix-socket: ca.pem is not a socket'],
    [
      'HTTP/2 without TLS',
      '--http2 --base-url http://localhost',
      '--http2: http://localhost is not an https: URL',
    ],
  ])('%s is refused before anything is sent', async ([, flags, ...said], { folder, refused }) => {
    await writePems(folder);
    await writeFile(join(folder, 'text.pem'), 'hello');
    await writeFile(join(folder, 'broken.pem'), authority.cert.replace(/^MI..../m, 'AAAAAA'));
    const locked = createPrivateKey(client.key).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    });
    await writeFile(join(folder, 'locked.key'), locked);
    await refused(`run --base-url https://127.0.0.1:9 ${flags} ${one}`, said);
  });

  test('a Unix socket without a base URL is refused', ({ refused }) =>
    refused('run --unix-socket x.sock', 'add --base-url http://localhost'));

  test('a scheme of the proxy that is not known is refused', async ({ cli }) => {
    const env = { ALL_PROXY: 'socks5://me:pr0xy-word@127.0.0.1:9' };
    const { exitCode, stderr } = await cli('doctor --base-url http://shop.example', env);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('ALL_PROXY: proxies of the scheme socks5 are not supported');
    expect(stderr).not.toContain('pr0xy');
  });
});

describe('a target that wants a client certificate', () => {
  test('gives no verdict without one, and it is said what to give', async ({ folder, cli }) => {
    await writePems(folder);
    const tls = { ...server, ca: authority.cert, requestCert: true, rejectUnauthorized: true };
    const target = opened(await serveHttp(wrong));
    const { port } = opened(await frontByTls(target.origin, tls));
    const ended = await cli(`run --base-url https://127.0.0.1:${port} --ca ca.pem ${one}`);
    expect(ended.exitCode).toBe(3);
    expect(flat(ended)).toContain('--client-cert');
    expect(ended.stdout + ended.stderr).not.toMatch(/^\s+at \S+ \(|error:[0-9A-F]{8}/m);
    expect((await readReport(join(folder, 'conformance-report'))).verdict).toBe('incomplete');
  });
});

describe('a proxy', () => {
  let target: Loopback;
  beforeEach(async () => {
    target = opened(await serveHttp(wrong));
  });

  test.for([
    ['refuses the credentials', { credentials: 'me:another' }, 'refuses the credentials in its URL'],
    ['cannot reach the target', { status: 502 }, 'cannot reach 127.0.0.1:'],
  ] as const)(
    'that %s gives no verdict, and is named without what is secret',
    async ([, wishes, said], { cli }) => {
      const { port } = opened(await startProxy(wishes));
      const env = { http_proxy: withPassword(port) };
      const ended = await cli(`run --base-url ${target.origin} ${one}`, env);
      expect(ended.exitCode, ended.stdout).toBe(3);
      expect(flat(ended)).toContain(`the proxy http://127.0.0.1:${port} ${said}`);
      expect(flat(ended)).toContain('NO_PROXY');
      expect(JSON.stringify(ended)).not.toContain('pr0xy');
      expect(target.connections()).toBe(0);
    },
  );

  test('that is not there is told apart from the target', async ({ cli }) => {
    const env = { http_proxy: 'http://127.0.0.1:9' };
    const ended = await cli(`run --base-url ${target.origin} ${one}`, env);
    expect(ended.exitCode).toBe(3);
    expect(flat(ended)).toContain('the proxy http://127.0.0.1:9 does not answer: connect ECONNREFUSED');
  });

  test('that goes away in the middle is never held against the target', async ({ folder, cli }) => {
    const service = opened(await startService());
    await writeFile(join(folder, 'target.yaml'), stringify(service.target));
    const proxy: TestProxy = opened(await startProxy());
    const env = { http_proxy: `http://127.0.0.1:${proxy.port}` };
    const ending = cli('run --target target.yaml --rate 300', env);
    await expect.poll(() => proxy.connections(), { timeout: 60_000, interval: 10 }).toBeGreaterThan(12);
    await proxy.close();
    const ended = await ending;
    const report = await readReport(join(folder, 'conformance-report'));
    expect(report.summary, ended.stdout).toMatchObject({ fail: 0, warn: 0, error: 0 });
    expect([ended.exitCode, report.verdict]).toEqual([3, 'incomplete']);
    expect(report.run.unreachable).toContain('the proxy http://127.0.0.1');
  });

  test('is not asked for what NO_PROXY names, nor for the embedded service', async ({ folder, cli }) => {
    const env = { http_proxy: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' };
    const flags = `run --base-url ${target.origin} ${one}`;
    const spared = await cli(flags, { ...env, NO_PROXY: '127.0.0.1' });
    expect(spared.exitCode, spared.stdout).toBe(1);
    const embedded = await cli(`run ${one}`, env);
    expect(embedded.exitCode, embedded.stdout).toBe(0);
    expect((await readReport(join(folder, 'conformance-report'))).target.connection).toBeUndefined();
  });
});

describe('headers for a gateway', () => {
  test('go with every request, and their secrets into no file', async ({ folder, cli }) => {
    const values = {
      'CF-Access-Client-Secret': 'cf5ecret',
      'x-plain': 'staging',
      'x-gate': 'gate-of-the-environment',
      'x-opaque': 'Zm9vYmFyYmF6cXV4MTIz',
    };
    let isComplete = true;
    let requests = 0;
    const gateway = opened(
      await serveHttp((request, response) => {
        requests += 1;
        isComplete &&= Object.entries(values).every(
          ([name, value]) => request.headers[name.toLowerCase()] === value,
        );
        // Gives back what it was sent, as some gateways do.
        response.writeHead(200, { 'content-type': 'text/plain', 'x-echo': values['x-gate'] });
        response.end(JSON.stringify({ sent: request.headers }));
      }),
    );
    const headers = { 'x-gate': '$' + '{STAGING_GATE}', 'x-plain': 'other' };
    await writeFile(join(folder, 'target.yaml'), stringify({ baseUrl: gateway.origin, headers }));
    const flags = ['CF-Access-Client-Secret', 'x-plain', 'x-opaque'] as const;
    const ended = await cli(
      [
        'run',
        '--target',
        'target.yaml',
        '--format',
        'html,junit,markdown',
        '--operation',
        'getPublicBootstrap',
        ...flags.flatMap((name) => ['--header', `${name}: ${values[name]}`]),
      ],
      { STAGING_GATE: values['x-gate'] },
    );
    expect(ended.exitCode, ended.stderr).toBe(1);
    expect([isComplete, requests > 3]).toEqual([true, true]);
    const dir = join(folder, 'conformance-report');
    const texts = await Promise.all((await readdir(dir)).map((name) => readFile(join(dir, name), 'utf8')));
    const all = [ended.stdout, ended.stderr, ...texts].join('\n');
    for (const secret of ['cf5ecret', values['x-gate'], values['x-opaque']])
      expect(all).not.toContain(secret);
    const report = await readReport(dir);
    const [finding] = report.results.flatMap(({ findings }) => findings);
    expect(finding?.reproduction).toContain(`-H 'x-plain: staging'`);
    expect(finding?.reproduction).toContain(`-H 'x-gate: <value of the header x-gate>'`);
  });
});
