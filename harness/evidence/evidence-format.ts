import { baseUrlParts } from '../base-url-parts.ts';
import { defined } from '../defined.ts';
import { certificateFormat } from '../format-version.ts';
import type { RecordedDecisions } from '../model/decisions.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Count, Digest, Ordinal, Sha256, Text } from '../model/formats.ts';
import type { HarnessName } from '../model/report.ts';
import type { RunOptions } from '../model/run-options.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import type { Exclusion, Target } from '../model/target.ts';
import { printableJson } from '../printable-json.ts';
import { entryOf, type HarEntry } from './har-entry.ts';
import type { Outside } from './outside.ts';

/** A HAR 1.2 log of every exchange of a run, from which the run can be evaluated again; written as evidence.har. Holds no secret. */
export interface EvidenceFile {
  readonly log: {
    readonly version: '1.2';
    /** Version of the harness's own part; version 1, which did not state it, had other request ids. */
    readonly _formatVersion: typeof certificateFormat;
    readonly creator: HarnessName;
    readonly _run: EvidenceRun;
    /** Every exchange, in the order in which they ended. */
    readonly entries: readonly HarEntry[];
    /** Every attempt at a case. */
    readonly _attempts: readonly RecordedAttempt[];
  };
}

/** The facts about a run that the evaluation of its evidence needs; `_run` in the log. */
export interface EvidenceRun {
  /** Names the run in request ids. */
  readonly id: Text;
  /** Ids of the runs that it was merged from, by the number of their shard; absent where it was one run. @minItems 1 */
  readonly shards?: readonly Text[];
  readonly harness: HarnessName;
  /** Digest of the contract. */
  readonly contract: Digest;
  /** Digest of the checks and requirements. */
  readonly catalogue: Sha256;
  readonly target: TargetSummary;
  readonly options: RecordedOptions;
  /** Absent where the evidence was merged from shards. */
  readonly derivation?: Derivation;
  /** The platform's own OpenAPI document, where one was supplied. */
  readonly document?: SuppliedDocument;
}

/** The values on which requests depend, besides seed, target and responses. */
export interface Derivation {
  /** Random bytes in hexadecimal digits, from which unique values derive: two runs with one seed must not send the same. @pattern ^[0-9a-f]{32}$ */
  readonly salt: string;
  /** Descriptions of the credentials that the shape of the keys allows, in their order. @maxItems 100 */
  readonly invalid: readonly string[];
  /** Descriptions of unusual credentials. @maxItems 100 */
  readonly unusual: readonly string[];
}

/** Options that are of no use to a reader and might be a secret. */
type Unrecorded = 'ca' | 'clientCert' | 'clientKey' | 'proxy' | 'unixSocket' | 'http2';
const unrecorded: readonly Unrecorded[] = ['ca', 'clientCert', 'clientKey', 'proxy', 'unixSocket', 'http2'];

type RecordedOptions = Omit<RunOptions, Unrecorded | 'rate'> & { readonly rate: number | null };

/** The recorded options. */
export function recordedOptions({ rate, ...options }: RunOptions): RecordedOptions {
  const withheld: readonly string[] = unrecorded;
  const others = Object.entries(options).filter(([name]) => !withheld.includes(name));
  return { ...Object.fromEntries(others), rate: rate ?? null } as RecordedOptions;
}

/** The target description without its keys and the values of its headers, which a certificate binds. */
export interface TargetSummary
  extends Pick<
    Target,
    | 'baseUrl'
    | 'authorization'
    | 'parameters'
    | 'operationParameters'
    | 'query'
    | 'bodies'
    | 'captures'
    | 'exclusions'
    | 'values'
  > {
  /** Whether a key is known. */
  readonly keys: { readonly scoped: boolean; readonly unscoped: boolean };
  /** Names only. */
  readonly headers: readonly string[];
}

/** The description of a target as it may be published, every text redacted. */
export function summariseTarget(target: Target, redact: (text: string) => string): TargetSummary {
  const { baseUrl, authorization, parameters, operationParameters, bodies, captures, exclusions } = target;
  const { query = {}, values } = target;
  const others = { parameters, operationParameters, query, bodies, captures, exclusions };
  return {
    baseUrl,
    authorization,
    keys: { scoped: target.keys.scoped !== undefined, unscoped: target.keys.unscoped !== undefined },
    headers: target.headers.map(([name]) => name),
    ...(redactAll({ ...others, ...defined({ values }) }, redact) as typeof others),
  };
}

function redactAll(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((member) => redactAll(member, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redact(name), redactAll(member, redact)]),
  );
}

/** The data that the evaluation of one attempt needs, besides its exchanges. */
export interface RecordedAttempt {
  readonly case: Exchange['case'];
  /** Counts the attempts at the case from 1. */
  readonly attempt: Ordinal;
  /** Exchanges of other cases that replace steps of this one, evaluated before its own; absent if there are none. */
  readonly shared?: ReadonlyArray<{ readonly id: Text; readonly step?: string | undefined }>;
  /** Its decisions that do not follow from its responses; absent if there are none. */
  readonly decisions?: RecordedDecisions;
  /** Exchanges of the whole run recorded before the evaluation. */
  readonly after: Count;
  /** Number of ordinary exchanges that were only counted. */
  readonly unkept: Count;
  /** Exclusions that took effect. */
  readonly leftOut: readonly Exclusion[];
  /** Why the probe stopped; absent where it completed. */
  readonly gaveUp?: GaveUp;
  /** The evaluated exchanges of its own by their last numbers, in their order, such as `1-12,14,13`. @pattern ^(?:\d{1,9}(?:-\d{1,9})?(?:,\d{1,9}(?:-\d{1,9})?)*)?$ */
  readonly judged: string;
}

/** Why an attempt ended before its probe did. */
export interface GaveUp {
  readonly reason: string;
  readonly remedy?: string;
  readonly transient: boolean;
  /** Absent if its own responses, or known facts about the target, require it. */
  readonly outside?: Outside;
}

/** Origin of the service that a run talks to. */
export function originOf(run: EvidenceRun): string {
  return baseUrlParts(run.target.baseUrl).origin;
}

/** The beginning of evidence.har. */
export function headOf(run: EvidenceRun): string {
  return `{"log":{"version":"1.2","_formatVersion":${certificateFormat},"creator":${printableJson(run.harness)},\n"_run":${printableJson(run)},\n"entries":[`;
}

/** The line of one exchange, the separator before it included. */
export function lineOf(exchange: Exchange, origin: string, isFirst: boolean): string {
  return `${isFirst ? '\n' : ',\n'}${printableJson(entryOf(exchange, origin))}`;
}

/** The end of evidence.har. */
export function tailOf(attempts: readonly RecordedAttempt[]): string {
  const lines = attempts.map((attempt) => printableJson(attempt));
  return `\n],\n"_attempts":[${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n`}]}}\n`;
}

/** The beginning of the ids of all exchanges of one attempt. */
export function prefixOf({ case: sender, attempt }: Pick<RecordedAttempt, 'case' | 'attempt'>): string {
  return `${sender.operation}/${sender.check}/${attempt}.`;
}

/** The last number of an exchange's id. */
export function numberOf({ id }: Pick<Exchange, 'id'>): number {
  return Number(id.slice(id.lastIndexOf('.') + 1));
}

/** The last numbers of the ids of exchanges of one attempt, in the form of its record. */
export function numberRanges(ids: readonly string[]): string {
  const ranges: Array<{ from: number; to: number }> = [];
  for (const id of ids) {
    const number = numberOf({ id });
    const last = ranges.at(-1);
    if (last !== undefined && number === last.to + 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join();
}

/** The numbers of the evaluated exchanges, in their order; at most `most`. */
export function evaluatedNumbers(evaluated: string, most: number): readonly number[] {
  const numbers: number[] = [];
  for (const range of evaluated.split(',')) {
    if (range === '') continue;
    const [from = 0, to = from] = range.split('-').map(Number);
    for (let number = from; number <= to && numbers.length <= most; number += 1) numbers.push(number);
  }
  return numbers;
}
