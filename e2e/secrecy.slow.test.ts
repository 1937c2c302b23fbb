import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { describe, expect } from 'vitest';
import { stringify } from 'yaml';
import { SecretRegister } from '../harness/evidence/secret-register.ts';
import { KeyRing } from '../harness/requests/key-ring.ts';
import { callCli, test } from './in-process-for-tests.ts';

const keys = {
  scoped: 'sk_live_Q7w+Zt/9xLm4=Pb2Vr8Kd&Ty6',
  unscoped: 'sk_live_H3n+Gs/5yBc1=Jf0Wq7Xa&Ue4',
};
const authorization = 'Bearer {key}';

/** What else gives a key away: values that differ from it in little, and parts of it. */
function relevantParts(): readonly string[] {
  const ring = new KeyRing({ keys, authorization }, new SecretRegister(), 1);
  const nearMisses = [...ring.invalid, ...ring.allUnusual]
    .map(({ secret }) => secret ?? '')
    .filter((miss) => miss.startsWith('sk_live_') || miss.startsWith('SK_LIVE_'));
  const parts = Object.values(keys).flatMap((key) =>
    Array.from({ length: key.length - 11 }, (_, at) => key.slice(at, at + 12)),
  );
  return [...nearMisses, ...parts].map((part) => part.toLowerCase());
}

/** All that a reader could make of a text: itself, percent-decoded, and what stands in it in base64 or hexadecimal. */
function readings(text: string): string {
  const decoded = [...text.matchAll(/[A-Za-z0-9+/_-]{12,}/g)].flatMap(([run]) => [
    Buffer.from(run, 'base64').toString('latin1'),
    Buffer.from(run, 'hex').toString('latin1'),
  ]);
  const unescaped = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return [text, unescaped, text.replaceAll('\\', ''), ...decoded].join('\n').toLowerCase();
}

/** Gives back what it is sent in every way that has been seen in error bodies, headers and logs. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  const sent = request.headers.authorization ?? 'none';
  const key = sent.replace('Bearer ', '');
  const encoded = encodeURIComponent(sent);
  const body = {
    message: `the credential ${sent} is not known`,
    items: [{ slug: key }, { merchantSlug: key.slice(0, 20) }],
    upper: sent.toUpperCase(),
    lower: sent.toLowerCase(),
    percent: encoded,
    base64: [Buffer.from(sent).toString('base64'), Buffer.from(key).toString('base64url')],
    hex: Buffer.from(sent).toString('hex'),
    cut: [key.slice(0, 12), key.slice(0, 25), key.slice(5, 21), key.slice(-12), `${sent.slice(0, 20)}…`],
    [key]: true,
    url: `https://shop.example/?key=${encoded}`,
  };
  // Successes, refusals and crashes, so that exchanges of all kinds reach the report.
  const turn = request.url?.length ?? 0;
  response.writeHead([200, 401, 500, 404][turn % 4] ?? 200, {
    'content-type': turn % 3 === 0 ? 'text/plain' : 'application/json',
    'x-echo': sent,
    'x-echo-cut': key.slice(3, 22),
    'www-authenticate': `Bearer error="${encodeURI(sent)}"`,
    location: `https://shop.example/login?key=${encoded}`,
  });
  response.end(JSON.stringify(body));
}

describe('a key that the service gives back', () => {
  test('reaches no output and no file', async ({ folder, startCountingServer, cli }) => {
    const server = await startCountingServer({ answer: echo });
    const target = {
      baseUrl: server.baseUrl,
      authorization,
      keys: { scoped: '$' + '{COMMERCE_KEY}', unscoped: '$' + '{COMMERCE_KEY_UNSCOPED}' },
      headers: { 'x-gateway-token': '$' + '{GATEWAY_TOKEN}' },
      bodies: {
        createHostedCheckoutSession: { merchant: 'atelier-nord' },
        cancelHostedCheckoutSession: {},
        initiateHostedLogin: {},
        consumeHostedLoginReturn: {},
      },
      captures: { sessionId: '/message' },
    };
    await writeFile(join(folder, 'target.yaml'), stringify(target));
    const env = {
      COMMERCE_KEY: keys.scoped,
      COMMERCE_KEY_UNSCOPED: keys.unscoped,
      GATEWAY_TOKEN: 'gw-5ecret-token',
    };
    const flags = '--report-dir report --format junit,markdown,badge,allure';
    const run = await cli(`run --target target.yaml ${flags}`, { ...env, GITHUB_ACTIONS: 'true' });
    const doctor = await cli('doctor --target target.yaml', env);
    expect(run.exitCode, run.stdout + run.stderr).toBe(1);
    const entries = await readdir(join(folder, 'report'), { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    expect(files.map((file) => basename(file))).toEqual(
      expect.arrayContaining([
        'report.json',
        'evidence.har',
        'junit.xml',
        'summary.md',
        'environment.properties',
      ]),
    );
    const texts = {
      'stdout of run': run.stdout,
      'stderr of run': run.stderr,
      'stdout of doctor': doctor.stdout,
      'stderr of doctor': doctor.stderr,
      ...Object.fromEntries(
        await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)),
      ),
    };
    const telling = [...relevantParts(), env.GATEWAY_TOKEN];
    const found = Object.entries(texts).flatMap(([name, text]) => {
      const read = readings(text);
      return telling.filter((part) => read.includes(part)).map((part) => `${part} in ${name}`);
    });
    expect(found).toEqual([]);
  });

  test.for([
    ['a flag', ['--key', `${keys.scoped} `]],
    ['a flag that is no URL', ['--base-url', `https://${encodeURIComponent(keys.scoped)}@shop.example`]],
    ['a flag that does not exist', [`--keys=${keys.scoped}`]],
  ] as const)('is not repeated where %s is refused', async ([, flags]) => {
    const { exitCode, stdout, stderr } = await callCli(['run', '--base-url', 'http://127.0.0.1:9', ...flags]);
    expect(exitCode).toBe(2);
    expect(readings(stdout + stderr)).not.toContain(keys.scoped.toLowerCase());
  });
});
