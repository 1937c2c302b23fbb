import { realpath } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LineCounter } from 'yaml';
import { defined } from '../defined.ts';
import { parseYaml } from '../parse-yaml.ts';
import { readTextFile } from '../read-text-file.ts';
import { tried } from '../tried.ts';
import { UsageError } from '../usage-error.ts';

/** Maximum bytes of a file or a response. */
export const largestSource: number = 16 * 1024 * 1024;

/** Milliseconds until the request for a URL is given up. */
const patience = 20_000;
const mostRedirects = 5;

/** A text and where it was found after redirects. */
export interface SourceText {
  readonly url: URL;
  readonly text: string;
}

/** The place that a user means by a file name or a URL. */
export function locateSource(source: string): URL {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(source)?.[1]?.toLowerCase();
  if (scheme === undefined) return pathToFileURL(resolve(source));
  const where = showSource(source);
  if (scheme !== 'http' && scheme !== 'https') {
    const remedy = 'give a file, or a URL that begins with https:// or http://';
    throw new UsageError({ what: `documents cannot be fetched by ${scheme}`, where, remedy });
  }
  const url = URL.parse(source);
  if (url === null) throw new UsageError({ what: 'this is not a URL', where });
  if (url.username !== '' || url.password !== '') {
    throw new UsageError({
      what: 'the URL of the document holds credentials',
      where,
      why: 'a command line is seen by others, and reports name the document',
      remedy: 'download the document and give the file',
    });
  }
  return url;
}

/** A source as messages show it: a URL without credentials, query and fragment. */
export function showSource(source: string): string {
  return source
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1')
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^?#]*).*$/is, '$1');
}

/** A place as messages show it: a path, relative below the working directory, or a URL. */
function showPlace(url: URL): string {
  if (url.protocol !== 'file:') return showSource(url.href);
  const path = fileURLToPath(url);
  const near = relative(process.cwd(), path);
  return near === '' || near.startsWith('..') ? path : near;
}

/** Reads a file or an http(s) URL as UTF-8; throws a UsageError that says why it cannot. */
export async function readSource(url: URL): Promise<SourceText> {
  if (url.protocol !== 'file:') return fetchFrom(url);
  return { url, text: await readTextFile(showPlace(url), 'document', 'leave --spec out', largestSource) };
}

/** Throws unless a place that a document refers to belongs to it: its own origin, or its own folder and below. */
export async function assertBelongs(place: URL, root: URL): Promise<void> {
  const [belongs, why] =
    root.protocol === 'file:'
      ? [await isBelow(place, root), 'only files in the folder of the document and below are read']
      : [place.origin === root.origin, 'only references within the origin of the document are followed'];
  if (!belongs) throw notFollowed(showPlace(place), root, why);
}

async function isBelow(place: URL, root: URL): Promise<boolean> {
  if (place.protocol !== 'file:') return false;
  const folder = await realpath(dirname(fileURLToPath(root)));
  // Reading reports a file that does not exist.
  const file = await realpath(fileURLToPath(place)).catch(() => resolve(fileURLToPath(place)));
  return file.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The error for a reference that leads out of the document, or nowhere. */
export function notFollowed(reference: string, root: URL, why?: string): UsageError {
  const remedy = 'join the document into one file first, such as with: npx @redocly/cli bundle';
  return refusal(root, `the document refers to ${reference}, which is not followed`, remedy, why);
}

/** The error for a document, or a part of it, that cannot be used. */
export function refusal(url: URL, what: string, remedy?: string, why?: string): UsageError {
  return new UsageError({ what, where: showPlace(url), ...defined({ remedy, why }) });
}

async function fetchFrom(start: URL): Promise<SourceText> {
  let url = start;
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const response = await answered(url, () =>
      fetch(url, {
        redirect: 'manual',
        signal: AbortSignal.timeout(patience),
        headers: { accept: 'application/json, application/yaml, */*;q=0.5' },
      }),
    );
    const { status, headers } = response;
    if (status === 200) return { url, text: await answered(url, () => collect(response.body ?? [], url)) };
    await response.body?.cancel();
    const location = headers.get('location');
    if (status < 300 || status >= 400 || location === null) {
      const remedy = 'open it in a browser, or download the document and give the file';
      throw refusal(url, `the URL of the document answers ${status}`, remedy);
    }
    const next = URL.parse(location, url.href);
    if (next === null || next.origin !== start.origin) {
      const where = next === null ? 'no URL' : showSource(next.href);
      const why = 'redirects are followed within one origin only';
      const what = `the URL of the document redirects to ${where}`;
      throw refusal(start, what, 'give the URL to which it leads', why);
    }
    url = next;
  }
  throw refusal(start, 'the URL of the document redirects without end');
}

async function answered<T>(url: URL, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { name, message, cause } = error as Error & { readonly cause?: { readonly message?: string } };
    const why =
      name === 'TimeoutError' ? `no answer within ${patience / 1000} s` : (cause?.message ?? message);
    const remedy = 'check the URL, or download the document and give the file';
    throw refusal(url, 'the document cannot be fetched', remedy, why);
  }
}

async function collect(chunks: AsyncIterable<Uint8Array> | readonly never[], url: URL): Promise<string> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > largestSource)
      throw refusal(url, `the document is larger than ${largestSource / 1024 / 1024} MB`);
    kept.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(kept));
  } catch {
    throw refusal(url, 'the document is not UTF-8', 'save it as UTF-8');
  }
}

export function parseSource({ text, url }: SourceText): unknown {
  if (/^\s*</.test(text)) {
    const remedy = 'give the document itself, not a page that shows it';
    throw refusal(url, 'this is HTML or XML, not an OpenAPI document', remedy);
  }
  const json: unknown = /^\s*[{[]/.test(text) ? tried(JSON.parse, text) : undefined;
  // Otherwise it may be YAML in flow style; if not, the error of YAML names the line.
  return json ?? fromYaml(text, url);
}

function fromYaml(text: string, url: URL): unknown {
  const lines = new LineCounter();
  try {
    const [document] = parseYaml(text, { lines, merge: true });
    const [error] = document?.errors ?? [];
    if (error === undefined) return document?.toJS({ maxAliasCount: 10_000 });
    const { line, col } = lines.linePos(error.pos[0]);
    throw new UsageError({
      what: 'this is neither YAML nor JSON',
      where: `${showPlace(url)}:${line}:${col}`,
      why: error.message.split('\n', 1)[0] ?? '',
    });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw refusal(url, 'the document cannot be read', undefined, (error as Error).message);
  }
}
