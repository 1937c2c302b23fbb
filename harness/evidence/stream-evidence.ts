import { createHash } from 'node:crypto';
import type { Exchange } from '../model/exchange.ts';
import { openRegularFile } from '../read-bounded-file.ts';
import { refuseMisstatedBodies } from './body-kind.ts';
import { type EvidenceRun, originOf, type RecordedAttempt } from './evidence-format.ts';
import { exchangeOf, type HarEntry } from './har-entry.ts';
import { isAt, validateEvidence } from './read-evidence.ts';

/** Evidence that is read piece by piece, so that its size does not matter. */
export interface EvidenceStream {
  readonly run: EvidenceRun;
  /** The next exchange, in the order of the file; undefined behind the last. */
  next(): Promise<Exchange | undefined>;
  /** To be called when there is no exchange left. */
  attempts(): Promise<readonly RecordedAttempt[]>;
  /** To be called when no more is read of it. */
  close(): Promise<void>;
}

/** What is to be read is not laid out as the harness writes it. */
export class EvidenceFormatError extends Error {}

/** SHA-256 over the bytes of a file, in hexadecimal digits. */
export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const file = await openRegularFile(path);
  for await (const chunk of file.createReadStream()) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Begins to read evidence.har, of which every exchange stands on a line of its own; believes that it is what was written. */
export async function openEvidence(path: string): Promise<EvidenceStream> {
  const lines = linesOf(path);
  let number = 0;
  const line = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done === true) throw new EvidenceFormatError(`ends before it is whole, on line ${number}`);
    number += 1;
    return value;
  };
  const expect = async (start: string): Promise<void> => {
    if (!(await line()).startsWith(start))
      throw new EvidenceFormatError(`is not laid out as the harness writes it, on line ${number}`);
  };
  const parsed = <T>(text: string): T => {
    try {
      return JSON.parse(text) as T;
    } catch {
      throw new EvidenceFormatError(`is not JSON on line ${number}`);
    }
  };
  const close = async (): Promise<void> => {
    await lines.return(undefined);
  };
  try {
    await expect('{"log":');
    const run = parsed<{ readonly _run: EvidenceRun }>(`{${withoutComma(await line())}}`)._run;
    await expect('"entries":[');
    const check = (part: object): void => {
      const { document: _document, ...bare } = run as EvidenceRun & { readonly document?: unknown };
      const log = { version: '1.2', creator: run.harness, _run: bare, entries: [], _attempts: [], ...part };
      const validation = validateEvidence({ log });
      if (validation.ok) return;
      const { instancePath, message } = validation.errors[0] ?? {};
      throw new EvidenceFormatError(`is not valid on line ${number}: ${instancePath} ${message}`);
    };
    if (typeof run !== 'object' || run === null) throw new EvidenceFormatError('does not describe its run');
    check({ _run: run });
    const origin = originOf(run);
    let ended = false;
    return {
      run,
      next: async () => {
        if (ended) return undefined;
        const text = await line();
        ended = text.startsWith(']');
        if (ended) return undefined;
        const entry = parsed<HarEntry>(withoutComma(text));
        check({ entries: [entry] });
        if (!isAt(origin, entry.request.url))
          throw new EvidenceFormatError(`has a request to another service than ${origin} on line ${number}`);
        try {
          const exchange = exchangeOf(entry, origin);
          refuseMisstatedBodies(exchange);
          return exchange;
        } catch (error) {
          throw new EvidenceFormatError(`cannot be read on line ${number}: ${(error as Error).message}`);
        }
      },
      attempts: async () => {
        const attempts: RecordedAttempt[] = [];
        if ((await line()) === '"_attempts":[]}}') return attempts;
        for (let text = await line(); !text.startsWith(']'); text = await line()) {
          const attempt = parsed<RecordedAttempt>(withoutComma(text));
          check({ _attempts: [attempt] });
          attempts.push(attempt);
        }
        await close();
        return attempts;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function withoutComma(line: string): string {
  return line.endsWith(',') ? line.slice(0, -1) : line;
}

/** Characters of one line, which holds one exchange. */
const longestLine = 256 * 1024 * 1024;

/** Split at line feeds alone: what else ends a line elsewhere may stand in a JSON text. */
async function* linesOf(path: string): AsyncGenerator<string, undefined> {
  let rest = '';
  const file = await openRegularFile(path);
  for await (const chunk of file.createReadStream({ encoding: 'utf8', highWaterMark: 256 * 1024 })) {
    const lines = (rest + (chunk as string)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) throw new EvidenceFormatError('has a line that is too long');
    yield* lines;
  }
  if (rest !== '') yield rest;
  return undefined;
}
