import { compileSchema } from '../../spec/json-schema.ts';
import { certificateFormat, requireFormatVersion } from '../format-version.ts';
import { keptAt } from '../kept-at.ts';
import type { Exchange } from '../model/exchange.ts';
import { tried } from '../tried.ts';
import type { ByteSource, Place } from './byte-source.ts';
import {
  type EvidenceFile,
  type EvidenceRun,
  headOf,
  lineOf,
  numberOf,
  originOf,
  prefixOf,
  type RecordedAttempt,
  tailOf,
} from './evidence-format.ts';
import { exchangeOf } from './har-entry.ts';

/** Evidence that is exactly as the harness writes it. Its exchanges are read where they are needed, so that their size does not matter. */
export interface Evidence {
  readonly run: EvidenceRun;
  readonly attempts: readonly RecordedAttempt[];
  readonly count: number;
  /** All exchanges, in the order in which they ended. */
  exchanges(): AsyncIterable<Exchange>;
  /** The exchanges whose ids begin so, by their numbers. */
  exchangesOf(prefix: string): Promise<readonly Exchange[]>;
}

/** The evidence differs from what the harness writes. */
export class EvidenceFormatError extends Error {}

/** Bytes of the exchanges of one attempt, which are evaluated together. */
const mostOfAttempt = 256 * 1024 * 1024;

/**
 * Reads evidence.har, which has one line per exchange, to its end. Two readers could understand one
 * text differently, so every line must be exactly what the harness writes for the exchange that it is read as; throws
 * an EvidenceFormatError otherwise.
 */
export async function readEvidence(source: ByteSource): Promise<Evidence> {
  const lines = linesOf(source.pieces());
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** Of the line that was read last, from 1. */
  let number = 0;
  /** Bytes before the line that is read next. */
  let position = 0;
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done === true) return refuse('is cut off, or laid out by another program: it ends', number + 1);
    number += 1;
    position += value.length + 1;
    return tried((bytes: Buffer) => decoder.decode(bytes), value) ?? refuse('is not UTF-8');
  };
  const refuse = (what: string, line = number): never => {
    throw new EvidenceFormatError(`${what} on line ${line}`);
  };
  const expect = (text: string, written: string, part: string): void => {
    if (text !== written) refuse(`${part} differs from what the harness writes,`);
  };
  const places: Place[] = [];
  const byPrefix = new Map<string, Array<Place & { readonly number: number }>>();
  try {
    const head = [await next(), await next(), await next()].join('\n');
    const { log } = parsed<{ readonly log?: Partial<EvidenceFile['log']> }>(`${head}]}}`, () =>
      refuse('is not laid out as the harness writes it,'),
    );
    const run = log?._run ?? refuse('does not describe its run');
    requireFormatVersion(log?._formatVersion, certificateFormat);
    const { document: _document, ...bare } = run;
    const empty = { version: '1.2', _formatVersion: certificateFormat, creator: run.harness };
    const validate = (part: object): void => {
      const whole = { ...empty, _run: bare, entries: [], _attempts: [], ...part };
      const validation = compileSchema<EvidenceFile>('evidence.schema.json')({ log: whole });
      if (validation.ok) return;
      const { instancePath, message } = validation.errors[0] ?? {};
      refuse(`is not valid (${instancePath} ${message})`);
    };
    validate({ _run: run });
    expect(head, headOf(run), 'the description of the run');
    if (!URL.canParse(run.target.baseUrl)) refuse('names a service without a valid base URL');
    const origin = originOf(run);
    // A line ends in a comma where another one follows.
    for (let goesOn = true, at = position; ; at = position) {
      const line = await next();
      const isEnd = line === '],';
      if (goesOn === isEnd && places.length > 0) refuse('entries are not separated by commas,');
      if (isEnd) break;
      goesOn = line.endsWith(',');
      const text = goesOn ? line.slice(0, -1) : line;
      const entry = parsed<{ readonly request: { readonly url: string } }>(text, refuse);
      validate({ entries: [entry] });
      const name = `entry ${places.length + 1}`;
      const { url } = entry.request;
      if (url !== origin && !url.startsWith(`${origin}/`))
        refuse(`${name} was not sent to ${origin}, where the service is,`);
      const exchange = exchangeOf(entry, origin);
      expect(`\n${text}`, lineOf(exchange, origin, true), `${name} (${exchange.id})`);
      const place = { at, length: Buffer.byteLength(text), number: numberOf(exchange) };
      places.push(place);
      keptAt(byPrefix, prefixOf(exchange), () => []).push(place);
    }
    const rest = [''];
    while (!(rest.at(-1) ?? '').endsWith(']}}')) rest.push(await next());
    const tail = `{${rest.join('').slice(0, -1)}`;
    const { _attempts: attempts = [] } = parsed<{ readonly _attempts?: RecordedAttempt[] }>(tail, refuse);
    validate({ _attempts: attempts });
    const written = tailOf(attempts).slice('\n],'.length);
    expect(`${rest.join('\n')}\n`, written, 'the list of attempts at the end');
    const end = await lines.next();
    if (end.done !== true || end.value > 0) refuse('goes on after its end,');
    const exchangesAt = async function* (some: readonly Place[]): AsyncIterable<Exchange> {
      for await (const piece of source.pieces(some)) yield exchangeOf(JSON.parse(piece.toString()), origin);
    };
    return {
      run,
      attempts,
      count: places.length,
      exchanges: () => exchangesAt(places),
      exchangesOf: async (prefix) => {
        const own = [...(byPrefix.get(prefix) ?? [])].sort((a, b) => a.number - b.number);
        if (own.reduce((sum, { length }) => sum + length, 0) > mostOfAttempt)
          throw new Error(`the exchanges of ${prefix} are too large to be evaluated`);
        const exchanges: Exchange[] = [];
        for await (const exchange of exchangesAt(own)) exchanges.push(exchange);
        return exchanges;
      },
    };
  } finally {
    await lines.return(0);
  }
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

/** The bytes of each line; split only at line feeds, because JSON texts may contain other line ends. Returns how many bytes follow. */
async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, number> {
  let begun: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, start)) {
      yield Buffer.concat([...begun, piece.subarray(start, end)]);
      [begun, length, start] = [[], 0, end + 1];
    }
    // The piece is overwritten when the next one is requested.
    begun.push(Buffer.from(piece.subarray(start)));
    length += piece.length - start;
    if (length > longestLine) throw new EvidenceFormatError('has a line that is too long');
  }
  return length;
}
