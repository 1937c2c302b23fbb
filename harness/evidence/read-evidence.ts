import { compileSchema, type Validation } from '../../spec/json-schema.ts';
import type { Exchange } from '../model/exchange.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import {
  type EvidenceLog,
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
    readonly creator: EvidenceRun['harness'];
    readonly _run: EvidenceRun & { readonly document?: SuppliedDocument };
    readonly entries: readonly HarEntry[];
    readonly _attempts: readonly RecordedAttempt[];
  };
}

/** What a file holds, or in a sentence each why it is no evidence. */
export type ReadEvidence =
  | { readonly ok: true; readonly log: EvidenceLog }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Problems of one file that are named. */
const mostProblems = 5;

let compiled: ((value: unknown) => Validation<EvidenceFile>) | undefined;

/**
 * Reads the text of evidence.har. What can be read twice over must say the same: the text must be what the harness
 * writes of the exchanges that it is read as, to the letter.
 */
export function readEvidence(text: string): ReadEvidence {
  try {
    return read(text);
  } catch (error) {
    // Of a hostile file, such as one that is nested deeper than the stack.
    return { ok: false, problems: [`cannot be read: ${(error as Error).message}`] };
  }
}

function read(text: string): ReadEvidence {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problems: ['is not whole JSON'] };
  }
  const validation = validateEvidence(value);
  if (!validation.ok) {
    const problems = validation.errors.map(
      ({ instancePath, message }) => `${instancePath || '/'} ${message}`,
    );
    return { ok: false, problems: problems.slice(0, mostProblems) };
  }
  const { _run: run, entries, _attempts: attempts } = validation.value.log;
  const origin = originOf(run);
  const elsewhere = entries.findIndex(({ request }) => !isAt(origin, request.url));
  if (elsewhere >= 0) {
    return {
      ok: false,
      problems: [`entry ${elsewhere + 1} was not sent to ${origin}, where the service is`],
    };
  }
  const exchanges = entries.map((entry) => exchangeOf(entry, origin));
  const place = firstDifference(text, run, exchanges, attempts);
  if (place !== undefined) return { ok: false, problems: [`${place} is not as the harness writes it`] };
  return { ok: true, log: { run, exchanges, attempts } };
}

/** Holds a value to the schema of evidence.har. */
export function validateEvidence(value: unknown): Validation<EvidenceFile> {
  compiled ??= compileSchema<EvidenceFile>('evidence.schema.json');
  return compiled(value);
}

/** Whether a URL is at an origin. */
export function isAt(origin: string, url: string): boolean {
  return url.startsWith(origin) && (url.length === origin.length || url[origin.length] === '/');
}

/** Where a text departs from what the harness writes; undefined where it does not. */
function firstDifference(
  text: string,
  run: EvidenceRun,
  exchanges: readonly Exchange[],
  attempts: readonly RecordedAttempt[],
): string | undefined {
  const origin = originOf(run);
  let at = 0;
  const goesOn = (expected: string): boolean => {
    if (!text.startsWith(expected, at)) return false;
    at += expected.length;
    return true;
  };
  if (!goesOn(headOf(run))) return 'the description of the run';
  for (const [index, exchange] of exchanges.entries()) {
    if (!goesOn(lineOf(exchange, origin, index === 0))) return `entry ${index + 1} (${exchange.id})`;
  }
  return goesOn(tailOf(attempts)) && at === text.length ? undefined : 'the list of attempts at the end';
}
