import type { Operation } from '../../spec/contract.ts';
import type { DedicatedConnection } from '../http/http-client.ts';
import type { Exchange, ExchangeRole } from '../model/exchange.ts';
import type { Json } from '../model/target.ts';
import type { Credential } from './key-ring.ts';

/** A body that goes out as these bytes under this media type; `undefined` as media type leaves the header out. */
export interface RawBody {
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
}

/** A valid call of an operation, with at most one thing changed. */
export interface CallSpec {
  readonly role: ExchangeRole;
  /** What this call is within its case; stands in reports. */
  readonly label: string;
  /** Name of the step of the check that the call belongs to. */
  readonly step?: string;
  /** Another operation than that of the case. */
  readonly operation?: Operation;
  /** Another credential than the operation asks for. */
  readonly credential?: Credential;
  /** Values for path parameters in place of known ones, before percent-encoding. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Like `parameters`, but these go out exactly as given: percent-encoded already, or deliberately not. */
  readonly rawParameters?: Readonly<Record<string, string>>;
  /** Another body than the known valid one; `none` leaves it out. */
  readonly body?: RawBody | 'none';
  /** A connection of its own, or one on which calls follow each other; the shared pool by default. */
  readonly connection?: 'fresh' | DedicatedConnection;
  /** Milliseconds between taking a value from another call and using it, on top of what is known to be needed. */
  readonly propagationDelayMs?: number;
  /** Puts a placeholder where nothing valid is known, instead of giving up. */
  readonly placeholders?: boolean;
  /** Takes a 429 for an answer, in place of waiting it out. */
  readonly acceptThrottled?: boolean;
  /** Whether an answer is nothing remarkable: of many such ones only the number is kept. */
  readonly isOrdinary?: (exchange: Exchange) => boolean;
  /** Waits for an answer even where the operation has often given none. */
  readonly persistent?: boolean;
  /** Waits for no turn, because others wait for what it finds out. */
  readonly urgent?: boolean;
}

/** What a call changes about a step or a valid call. */
export type CallChanges = Partial<Omit<CallSpec, 'role' | 'step'>>;

/** A JSON value as a body under `application/json`. */
export function jsonBody(value: Json): RawBody {
  return { bytes: Buffer.from(JSON.stringify(value)), contentType: 'application/json' };
}
