import type { Contract, Operation } from '../../spec/contract.ts';
import type { SecretRegister } from '../evidence/secret-register.ts';
import type { DedicatedConnection } from '../http/http-client.ts';
import type { Exchange, ExchangeRole, HeaderList, Row, WireForm } from '../model/exchange.ts';
import type { Json, Target } from '../model/target.ts';
import type { Planned, Profile } from '../sampling/profile.ts';
import type { Credential, KeyRing } from './key-ring.ts';
import type { KnownValues } from './known-values.ts';
import type { Rider } from './riders.ts';

/** The bytes of a body and their media type; `undefined` omits the header. */
export interface RawBody {
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
}

/** A valid call of an operation with at most one change. */
export interface CallSpec {
  readonly role: ExchangeRole;
  /** Names the call within its case; appears in reports. */
  readonly label: string;
  /** What it varies: evaluations read this, and only people read the label. */
  readonly row?: Row;
  /**
   * Statuses that the call must be answered with, under JSON. Headers that may not matter ride along on such a call; after
   * any other answer it is sent without them, and with fewer of them where that helps.
   */
  readonly expects?: readonly number[];
  /** Sent with others at the same time, which a refusal may be due to. */
  readonly isCrowded?: true;
  /** The entity tag of the valid answer, which a call that must be refused may name. */
  readonly tag?: string;
  /** Headers that ride along, in place of those that the client chooses. */
  readonly neutral?: readonly Rider[];
  /** Name of the step of the check that the call belongs to. */
  readonly step?: string;
  readonly operation?: Operation;
  readonly method?: string;
  /** Replaces the template of the operation's path. */
  readonly route?: string;
  /** Replaces the credential that the operation requires. */
  readonly credential?: Credential;
  /** Replace the known values of path parameters; percent-encoded when sent. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Like `parameters`, but sent exactly as given. */
  readonly rawParameters?: Readonly<Record<string, string>>;
  /** Replaces the known valid body; `none` omits it. */
  readonly body?: RawBody | 'none';
  /** The body holds values that were captured for it, which the target may not know everywhere yet. */
  readonly holdsFreshValues?: boolean;
  /** Replaces headers, by lower-case name; undefined omits one, `transfer-encoding: chunked` sends chunks. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Other forms of the same request on the wire, which the recorded headers and body do not show. */
  readonly wire?: readonly WireForm[];
  /** Follows the query of a valid call, exactly as given. */
  readonly query?: string;
  /** The valid call of another case cannot stand for it. */
  readonly isOwn?: boolean | Planned;
  /** A connection for this call alone, or one for consecutive calls; the shared pool by default. */
  readonly connection?: 'fresh' | DedicatedConnection;
  /** Additional milliseconds between capturing a value and using it. */
  readonly propagationDelayMs?: number;
  /** Uses a placeholder where no valid value is known. */
  readonly placeholders?: boolean;
  /** Accepts a 429 as the answer instead of retrying. */
  readonly acceptThrottled?: boolean;
  /** Whether an exchange is ordinary: of many such ones only the number is kept. */
  readonly isOrdinary?: (exchange: Exchange) => boolean;
  /** Makes the call even where the operation has repeatedly timed out. */
  readonly persistent?: boolean;
  /** One of a crowd in a deep run, which holds more calls than the limit of concurrent requests. */
  readonly exceedsConcurrency?: true;
  /** How many requests go out at its turn, itself included, of which the others are urgent. */
  readonly turns?: number;
  /** Skips the rate limiter's queue, because other calls wait for the result. */
  readonly urgent?: boolean;
}

/** Whether a call was answered with a status that it expects, under JSON. */
export function isExpected({ response }: Exchange, { expects = [] }: Pick<CallSpec, 'expects'>): boolean {
  const isJson = !['malformed', 'empty'].includes(response?.body.json ?? 'empty');
  return isJson && expects.includes(response?.status ?? 0);
}

/** What a call changes about a step or a valid call. */
export type CallChanges = Partial<Omit<CallSpec, 'role' | 'step'>>;

/** A JSON value as a body under `application/json`. */
export function jsonBody(value: Json): RawBody {
  return { bytes: Buffer.from(JSON.stringify(value)), contentType: 'application/json' };
}

/** The attempt at a case on whose behalf calls are made. */
export interface SendingAttempt {
  readonly check: string;
  readonly operation: Operation;
  readonly attempt: number;
}

/** An exchange, and the response body from which values can be taken. */
export interface Answered {
  readonly exchange: Exchange;
  /** The parsed body, secrets included; undefined where it cannot be parsed. */
  readonly body: () => unknown;
}

/** What the requests of a run are built from. */
export interface RequestContext {
  readonly target: Target;
  readonly contract: Contract;
  readonly keys: KeyRing;
  readonly known: KnownValues;
  readonly secrets: SecretRegister;
  /** Start of all request ids. */
  readonly runId: string;
  readonly seed: number;
  readonly profile: Profile;
  /** What unique values derive from. */
  readonly salt: string;
  readonly userAgent: string;
  /** Headers in place of the harness's own. */
  readonly disguise?: HeaderList;
}
