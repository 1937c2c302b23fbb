import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Front } from './fronts.ts';
import type { Place } from './part.ts';
import { stacksFolder } from './services.ts';

const run = promisify(execFile);
const refused = '{"code":"bad_request","message":"The request cannot be read."}';
const notFound = '{"code":"not_found","message":"There is no such path."}';

/** Writes the configuration of a front, made from its template in `fronts`, and the files that it refers to, into the folder; returns its path. */
export async function prepareFront(
  { template, settings, usesTls }: Front,
  setting: 'default' | 'recommended',
  place: Place,
  fronts: string = join(stacksFolder, 'fronts'),
): Promise<string> {
  const { folder } = place;
  const source = await readFile(join(fronts, template), 'utf8');
  const config = join(folder, template);
  await mkdir(join(folder, 'errors'));
  await Promise.all([
    writeFile(config, renderTemplate(source, settings[setting], place)),
    writeFile(join(folder, 'errors', '400.json'), refused),
    writeFile(join(folder, 'errors', '404.json'), notFound),
    writeFile(
      join(folder, '400.http'),
      `HTTP/1.0 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n${refused}`,
    ),
  ]);
  if (usesTls) await makeCertificate(folder);
  return config;
}

/** Fills in a template; a line marked with `#[name]` counts where that setting is on. */
function renderTemplate(source: string, settings: readonly string[], place: Place): string {
  const values: Readonly<Record<string, string | number>> = {
    PORT: place.port,
    TLS_PORT: place.tlsPort,
    BACKEND: place.backend,
    DIR: place.folder,
  };
  return source
    .split('\n')
    .filter((line) => {
      const mark = /^\s*#\[([\w-]+)\]/.exec(line)?.[1];
      return mark === undefined || settings.includes(mark);
    })
    .map((line) => line.replace(/#\[[\w-]+\] ?/, '').replace(/@(\w+)@/g, (_, name) => String(values[name])))
    .join('\n');
}

async function makeCertificate(folder: string): Promise<void> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-keyout', key, '-out', certificate, '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
  ]);
  await writeFile(
    join(folder, 'both.pem'),
    `${await readFile(certificate, 'utf8')}${await readFile(key, 'utf8')}`,
  );
}
