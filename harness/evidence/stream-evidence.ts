import { createHash } from 'node:crypto';
import { compileSchema } from '../../spec/json-schema.ts';
import { certificateFormat, requireFormatVersion } from '../format-version.ts';
import type { Exchange } from '../model/exchange.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import { openRegularFile } from '../read-bounded-file.ts';
import type { Place } from './byte-source.ts';
import {
  type EvidenceRun,
  headOf,
  lineOf,
  originOf,
  type RecordedAttempt,
  tailOf,
} from './evidence-format.ts';
import { exchangeOf, type HarEntry } from './har-entry.ts';

/** The layout of evidence.har. */
export interface EvidenceFile {
  readonly log: {
    readonly version: '1.2';
    readonly _formatVersion: typeof certificateFormat;
    readonly creator: EvidenceRun['harness'];
    readonly _run: EvidenceRun & { readonly document?: SuppliedDocument };
    readonly entries: readonly HarEntry[];
    readonly _attempts: readonly RecordedAttempt[];
  };
}

/** Evidence that is read piece by piece, so that its size does not matter. */
export interface EvidenceStream {
  readonly run: EvidenceRun;
  /** The next exchange with the place of its JSON, in the order of the file; undefined behind the last. */
  next(): Promise<(Place & { readonly exchange: Exchange }) | undefined>;
  /** Must be called when there is no exchange left. */
  attempts(): Promise<readonly RecordedAttempt[]>;
  /** Must be called when no more is read of it. */
  close(): Promise<void>;
}

/** The evidence is not as the harness writes it. */
export class EvidenceFormatError extends Error {}

/** SHA-256 over the bytes of a file, in hexadecimal digits. */
export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const file = await openRegularFile(path);
  for await (const chunk of file.createReadStream()) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/**
 * Begins to read evidence.har, of which every exchange stands on a line of its own. Two readers could understand one
 * text differently, so every line must be what the harness writes of the exchange that it is read as, to the letter.
 */
export async function openEvidence(pieces: AsyncIterable<Buffer>): Promise<EvidenceStream> {
  const lines = new Lines(pieces);
  const refuse = (what: string): never => {
    throw new EvidenceFormatError(`${what} on line ${lines.number}`);
  };
  const expect = (text: string, written: string, part: string): void => {
    if (text !== written) refuse(`${part} is not as the harness writes it,`);
  };
  try {
    const head = [await lines.next(), await lines.next(), await lines.next()].join('\n');
    const { log } = parsed<{ readonly log?: Partial<EvidenceFile['log']> }>(`${head}]}}`, () =>
      refuse('is not laid out as the harness writes it,'),
    );
    const run = log?._run ?? refuse('does not describe its run');
    requireFormatVersion(log?._formatVersion, certificateFormat);
    const { document: _document, ...bare } = run;
    const validate = (part: object): void => {
      const whole = {
        version: '1.2',
        _formatVersion: certificateFormat,
        creator: run.harness,
        _run: bare,
        entries: [],
        _attempts: [],
      };
      const validation = compileSchema('evidence.schema.json')({ log: { ...whole, ...part } });
      if (validation.ok) return;
      const { instancePath, message } = validation.errors[0] ?? {};
      refuse(`is not valid (${instancePath} ${message})`);
    };
    validate({ _run: run });
    expect(head, headOf(run), 'the description of the run');
    if (!URL.canParse(run.target.baseUrl)) refuse('names a service whose base URL is none,');
    const origin = originOf(run);
    let count = 0;
    let isEnded = false;
    /** Whether the last line ends in a comma, which only another one justifies. */
    let goesOn = true;
    return {
      run,
      next: async () => {
        if (isEnded) return undefined;
        const at = lines.position;
        const line = await lines.next();
        isEnded = line === '],';
        if (goesOn === isEnded && count > 0) refuse('entries are not separated by commas,');
        if (isEnded) return undefined;
        goesOn = line.endsWith(',');
        const text = goesOn ? line.slice(0, -1) : line;
        const entry = parsed<HarEntry>(text, refuse);
        validate({ entries: [entry] });
        count += 1;
        if (!isAt(origin, entry.request.url))
          refuse(`entry ${count} was not sent to ${origin}, where the service is,`);
        const exchange = exchangeOf(entry, origin);
        expect(`\n${text}`, lineOf(exchange, origin, true), `entry ${count} (${exchange.id})`);
        return { exchange, at, length: Buffer.byteLength(text) };
      },
      attempts: async () => {
        const rest = [''];
        while (!(rest.at(-1) ?? '').endsWith(']}}')) rest.push(await lines.next());
        const { _attempts: attempts = [] } = parsed<{ readonly _attempts?: readonly RecordedAttempt[] }>(
          `{${rest.join('').slice(0, -1)}`,
          refuse,
        );
        validate({ _attempts: attempts });
        const written = tailOf(attempts).slice('\n],'.length);
        expect(`${rest.join('\n')}\n`, written, 'the list of attempts at the end');
        await lines.expectEnd(refuse);
        return attempts;
      },
      close: () => lines.close(),
    };
  } catch (error) {
    await lines.close();
    throw error;
  }
}

/** Whether a URL is at an origin. */
function isAt(origin: string, url: string): boolean {
  return url.startsWith(origin) && (url.length === origin.length || url[origin.length] === '/');
}

function parsed<T>(text: string, refuse: (what: string) => never): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    // A text may also be nested deeper than the stack.
    return refuse(
      error instanceof SyntaxError ? 'is not JSON' : `cannot be read (${(error as Error).message})`,
    );
  }
}

/** Bytes of one line, which holds one exchange. */
const longestLine = 256 * 1024 * 1024;
const lineFeed = 0x0a;

/** Lines of bytes; split at line feeds alone, because other ends of lines may stand in JSON texts. */
class Lines {
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #rest: Buffer = Buffer.alloc(0);
  /** Of the line that was read last, from 1. */
  number = 0;
  /** Bytes before the line that is read next. */
  position = 0;

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  async next(): Promise<string> {
    const gathered: Buffer[] = [];
    let length = 0;
    for (;;) {
      const end = this.#rest.indexOf(lineFeed);
      const part = end < 0 ? this.#rest : this.#rest.subarray(0, end);
      gathered.push(end < 0 ? Buffer.from(part) : part);
      length += part.length;
      if (length > longestLine) throw new EvidenceFormatError('has a line that is too long');
      if (end >= 0) {
        this.#rest = this.#rest.subarray(end + 1);
        break;
      }
      const { value, done } = await this.#pieces.next();
      if (done === true) throw new EvidenceFormatError(`ends before it is whole, on line ${this.number}`);
      this.#rest = value;
    }
    this.number += 1;
    this.position += length + 1;
    try {
      return this.#decoder.decode(Buffer.concat(gathered));
    } catch {
      throw new EvidenceFormatError(`is not UTF-8 on line ${this.number}`);
    }
  }

  async expectEnd(refuse: (what: string) => never): Promise<void> {
    if (this.#rest.length > 0 || (await this.#pieces.next()).done !== true) refuse('goes on after its end,');
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}
