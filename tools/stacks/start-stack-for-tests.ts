import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  type Front,
  fillIn,
  requirePart,
  type Service,
  type Setting,
  stacksFolder,
} from './stacks-for-tests.ts';

/** A running service or front. */
export interface Started {
  readonly baseUrl: string;
  readonly stop: () => Promise<void>;
}

const longestStart = 60_000;
const refused = '{"code":"bad_request","message":"The request cannot be read."}';
const notFound = '{"code":"not_found","message":"There is no such path."}';

/** Starts a service of the corpus, or of a folder with a changed copy. */
export async function startService(service: Service, folder: string = stacksFolder): Promise<Started> {
  requirePart(service);
  const { start, env = {} } = service;
  const port = await freePort();
  const values = { folder, port };
  const filled = Object.entries(env).map(([name, value]) => [name, fillIn(value, values)]);
  const command = start.map((one) => fillIn(one, values));
  const stop = await startProcess(command, port, Object.fromEntries(filled));
  return { baseUrl: `http://127.0.0.1:${port}`, stop };
}

/** Starts a front of the service behind a URL; `dir` is an empty folder, and `source` holds the templates. */
export async function startFront(
  front: Front,
  setting: Setting,
  { backend, dir, source }: { readonly backend: string; readonly dir: string; readonly source: string },
): Promise<Started> {
  requirePart(front);
  const { template, settings, usesTls, start } = front;
  const [port, tlsPort] = [await freePort(), await freePort()];
  const config = join(dir, template);
  const text = await readFile(join(source, 'fronts', template), 'utf8');
  const values = { PORT: port, TLS_PORT: tlsPort, BACKEND: new URL(backend).port, DIR: dir };
  const head = 'HTTP/1.0 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n';
  await mkdir(join(dir, 'errors'));
  await writeFile(config, renderTemplate(text, settings[setting], values));
  await writeFile(join(dir, 'errors', '400.json'), refused);
  await writeFile(join(dir, 'errors', '404.json'), notFound);
  await writeFile(join(dir, '400.http'), head + refused);
  if (usesTls === true) await makeCertificate(dir);
  const command = start.map((one) => fillIn(one, { config, dir, port }));
  const stop = await startProcess(command, port);
  return { baseUrl: usesTls ? `https://127.0.0.1:${tlsPort}` : `http://127.0.0.1:${port}`, stop };
}

/** Fills in a template; a line marked with `#[name]` counts where that setting is on. */
function renderTemplate(
  source: string,
  settings: readonly string[],
  values: Readonly<Record<string, string | number>>,
): string {
  return source
    .split('\n')
    .filter((line) => {
      const mark = /^\s*#\[([\w-]+)\]/.exec(line)?.[1];
      return mark === undefined || settings.includes(mark);
    })
    .map((line) => line.replace(/#\[[\w-]+\] ?/, '').replace(/@(\w+)@/g, (_, name) => String(values[name])))
    .join('\n');
}

async function makeCertificate(dir: string): Promise<void> {
  const [key, certificate] = [join(dir, 'key.pem'), join(dir, 'certificate.pem')];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-keyout', key, '-out', certificate, '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
  ]);
  const both = (await readFile(certificate, 'utf8')) + (await readFile(key, 'utf8'));
  await writeFile(join(dir, 'both.pem'), both);
}

/** Starts a program in its own process group; resolves with the way to stop it, once it accepts connections. */
async function startProcess(
  [file = '', ...args]: readonly string[],
  port: number,
  env: Readonly<Record<string, string>> = {},
): Promise<() => Promise<void>> {
  const child = spawn(file, args, {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin`, ...env },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-2000);
  });
  let isOver = false;
  const closed = once(child, 'close')
    .catch((error: unknown) => {
      said += String(error);
    })
    .then(() => {
      isOver = true;
    });
  const end = (): void => {
    if (!isOver && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  };
  process.once('exit', end);
  const stop = async (): Promise<void> => {
    process.off('exit', end);
    end();
    await closed;
  };
  for (const since = Date.now(); !(await accepts(port)); await wait(50)) {
    if (isOver || Date.now() - since > longestStart) {
      await stop();
      throw new Error(`${file} does not listen on port ${port}: ${said.trim()}`);
    }
  }
  return stop;
}

/** A port of the loopback that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
