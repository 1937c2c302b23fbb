import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { describe, expect } from 'vitest';
import { readReport } from './cli-for-tests.ts';
import { test } from './in-process-for-tests.ts';

/** A port that nothing listens on: discard, which is below those that are given out freely. */
const closed = 'http://127.0.0.1:9';

const hasOpenssl = ((): boolean => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.concurrent('a target that cannot be reached gives no verdict, and says what was tried and why', () => {
  test.for([
    ['nothing listens', closed, 'ECONNREFUSED', 'is the service running, and is the port right?'],
    ['the name is not known', 'http://nowhere.invalid', 'nowhere.invalid', 'is the host name right'],
  ] as const)('%s', async ([, baseUrl, cause, hint], { folder, cli }) => {
    const { exitCode, stdout } = await cli(`run --base-url ${baseUrl}`);
    expect(exitCode).toBe(3);
    const said = stdout.replaceAll(/\s+/g, ' ');
    for (const part of [`${baseUrl}/api/v1/bootstrap does not answer`, cause, hint])
      expect(said).toContain(part);
    // Of each operation there is nothing to say.
    expect(stdout).not.toContain('Storefront public reads');
    const report = await readReport(join(folder, 'conformance-report'));
    expect(report).toMatchObject({
      verdict: 'incomplete',
      complete: false,
      summary: { pass: 0, fail: 0, warn: 0 },
    });
    expect(report.reasons[0]).toContain(cause);
  });

  test('it never answers', async ({ startCountingServer, cli }) => {
    const { baseUrl } = await startCountingServer({ answers: false });
    const { exitCode, stdout } = await cli(`run --base-url ${baseUrl} --timeout 200`);
    expect(exitCode).toBe(3);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('no complete answer within 200 ms (raise --timeout');
  });

  test('doctor says so too', async ({ cli }) => {
    const { exitCode, stdout } = await cli(`doctor --base-url ${closed}`);
    expect(exitCode).toBe(3);
    expect(stdout).toContain(`Reachable   no: ${closed}/api/v1/bootstrap does not answer`);
  });
});

// The certificate is made by openssl, which node cannot do by itself.
describe.skipIf(!hasOpenssl)('a certificate that nobody vouches for', () => {
  test('is refused, unless it is passed with --ca or --insecure', async ({ folder, cli }) => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = `req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ${key} -out ${cert}`;
    const subject = '-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1';
    execFileSync('openssl', `${made} ${subject}`.split(' '), { stdio: 'ignore' });
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
      socket.once('data', () => {
        const body = '{}';
        socket.end(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        );
      });
      socket.on('error', () => undefined);
    });
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const run = `run --base-url ${baseUrl} --operation getPublicBootstrap --check SUCCESS-1`;
      const refused = await cli(run);
      expect(refused.exitCode).toBe(3);
      const said = refused.stdout.replaceAll(/\s+/g, ' ');
      expect(said).toContain(`${baseUrl}/api/v1/bootstrap does not answer: self-signed certificate`);
      expect(said).toContain('--ca');
      expect((await readReport(join(folder, 'conformance-report'))).reasons[0]).toContain('self-signed');
      const trusted = await cli(`${run} --ca ${cert}`);
      expect(trusted.exitCode, trusted.stdout).toBe(0);
      const insecure = await cli(`${run} --insecure`);
      expect(insecure.exitCode, insecure.stdout).toBe(0);
    } finally {
      server.close();
    }
  });
});
