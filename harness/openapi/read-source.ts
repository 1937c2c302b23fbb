import { realpath } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { RefusedFile, readBoundedFile } from '../read-bounded-file.ts';
import { UsageError } from '../usage-error.ts';

/** Largest file or answer that is read, in bytes. */
export const largestSource: number = 16 * 1024 * 1024;

/** Milliseconds until a URL counts as unanswered. */
const patience = 20_000;
const mostRedirects = 5;

/** A text and where it was in the end found; what it refers to is relative to that place. */
export interface SourceText {
  readonly url: URL;
  readonly text: string;
}

/** The place that a user means by a file name or a URL. */
export function locateSource(source: string): URL {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(source)?.[1]?.toLowerCase();
  if (scheme === undefined) return pathToFileURL(resolve(source));
  if (scheme !== 'http' && scheme !== 'https') {
    throw new UsageError({
      what: `documents are not fetched by ${scheme}`,
      where: showSource(source),
      remedy: 'give a file, or a URL that begins with https:// or http://',
    });
  }
  const url = URL.parse(source);
  if (url === null) throw new UsageError({ what: 'this is not a URL', where: showSource(source) });
  if (url.username !== '' || url.password !== '') {
    throw new UsageError({
      what: 'the URL of the document holds credentials',
      where: showSource(source),
      why: 'a command line is seen by others, and reports name the document',
      remedy: 'download the document and give the file',
    });
  }
  return url;
}

/** A source as it may be shown: a URL without credentials, query and fragment. */
export function showSource(source: string): string {
  return source
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1')
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^?#]*).*$/is, '$1');
}

/** A place as a person would name it: a path below the working directory, or a URL. */
export function showPlace(url: URL): string {
  if (url.protocol !== 'file:') return showSource(url.href);
  const path = fileURLToPath(url);
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
}

/** Reads a file or an http(s) URL as UTF-8; throws a UsageError that says why it cannot. */
export async function readSource(url: URL): Promise<SourceText> {
  const found = url.protocol === 'file:' ? await readFrom(url) : await fetchFrom(url);
  try {
    return {
      url: found.url,
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(found.bytes),
    };
  } catch {
    throw new UsageError({
      what: 'the document is not UTF-8',
      where: showPlace(url),
      remedy: 'save it as UTF-8',
    });
  }
}

/** Throws unless a place that a document refers to belongs to it: its own origin, or its own folder and below. */
export async function assertBelongs(place: URL, root: URL): Promise<void> {
  if (place.protocol !== root.protocol) throw strange(place, root);
  if (root.protocol !== 'file:') {
    if (place.origin !== root.origin) throw strange(place, root);
    return;
  }
  const folder = await realpath(dirname(fileURLToPath(root)));
  // What does not exist is reported when it is read.
  const file = await realpath(fileURLToPath(place)).catch(() => resolve(fileURLToPath(place)));
  if (!file.startsWith(folder.endsWith(sep) ? folder : folder + sep)) throw strange(place, root);
}

function strange(place: URL, root: URL): UsageError {
  return new UsageError({
    what: `the document refers to ${showPlace(place)}, which is not followed`,
    where: showPlace(root),
    why:
      root.protocol === 'file:'
        ? 'only files in the folder of the document and below are read'
        : 'only the origin of the document is asked',
    remedy: 'join the document into one file first, such as with: npx @redocly/cli bundle',
  });
}

interface SourceBytes {
  readonly url: URL;
  readonly bytes: Buffer;
}

async function readFrom(url: URL): Promise<SourceBytes> {
  try {
    return { url, bytes: await readBoundedFile(fileURLToPath(url), largestSource) };
  } catch (error) {
    if (error instanceof RefusedFile && error.code !== 'EISDIR') {
      throw new UsageError({
        what: `the document is refused: ${error.message}`,
        where: showPlace(url),
        ...(error.code === 'EFBIG' ? {} : { remedy: 'copy its content to a regular file, and name that' }),
      });
    }
    throw unreadable(url, (error as NodeJS.ErrnoException).code ?? String(error));
  }
}

function unreadable(url: URL, code: string): UsageError {
  const where = showPlace(url);
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new UsageError({ what: 'the document does not exist', where, remedy: 'check the path' });
    case 'EISDIR':
      return new UsageError({
        what: 'this is a directory, not a document',
        where,
        remedy: 'name the file in it',
      });
    case 'EACCES':
    case 'EPERM':
      return new UsageError({
        what: 'the document may not be read',
        where,
        remedy: 'check its permissions',
      });
    default:
      return new UsageError({ what: `the document cannot be read (${code})`, where });
  }
}

async function fetchFrom(start: URL): Promise<SourceBytes> {
  let url = start;
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const response = await get(url);
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      const next = URL.parse(location, url.href);
      if (next === null || next.origin !== start.origin) {
        throw new UsageError({
          what: `the URL of the document redirects to ${next === null ? 'no URL' : showSource(next.href)}`,
          where: showPlace(start),
          why: 'redirects are followed within one origin only',
          remedy: 'give the URL to which it leads',
        });
      }
      url = next;
      continue;
    }
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new UsageError({
        what: `the URL of the document answers ${response.status}`,
        where: showPlace(url),
        remedy: 'open it in a browser, or download the document and give the file',
      });
    }
    try {
      return { url, bytes: await collect(response.body ?? [], url) };
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw unanswered(url, error);
    }
  }
  throw new UsageError({ what: 'the URL of the document redirects without end', where: showPlace(start) });
}

async function get(url: URL): Promise<Response> {
  try {
    return await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(patience),
      headers: { accept: 'application/json, application/yaml, */*;q=0.5' },
    });
  } catch (error) {
    throw unanswered(url, error);
  }
}

function unanswered(url: URL, error: unknown): UsageError {
  const { name, message, cause } = error as Error & { readonly cause?: { readonly message?: string } };
  const why = name === 'TimeoutError' ? `no answer within ${patience / 1000} s` : (cause?.message ?? message);
  return new UsageError({
    what: 'the document cannot be fetched',
    where: showPlace(url),
    why,
    remedy: 'check the URL, or download the document and give the file',
  });
}

async function collect(chunks: AsyncIterable<Uint8Array> | readonly never[], url: URL): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > largestSource) {
      throw new UsageError({
        what: `the document is larger than ${largestSource / 1024 / 1024} MB`,
        where: showPlace(url),
      });
    }
    kept.push(chunk);
  }
  return Buffer.concat(kept);
}
