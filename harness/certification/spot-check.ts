import { hash, type KeyObject } from 'node:crypto';
import type { Count, Instant, Milliseconds, Sha256, Text } from '../model/formats.ts';
import type { Peers } from '../model/report.ts';
import {
  type Envelope,
  type NamedKey,
  payloadText,
  readSignedDocument,
  type SignedDocument,
  signDocument,
} from './envelope.ts';

/** The result of repeating recorded cases live. */
export interface SpotCheckResult {
  readonly baseUrl: Text;
  readonly startedAt: Instant;
  readonly durationMs: Milliseconds;
  /** Cases with an outcome. */
  readonly repeated: Count;
  /** Cases that could not be tested. */
  readonly unrepeated: Count;
  /** Operations among them. */
  readonly operations: Count;
  readonly requests: Count;
  /** Recorded requests that were sent again as they were, and answered. */
  readonly verbatim?: Count;
  /** Whom the connections reached. */
  readonly peers?: Peers;
  /** Differences that may have a reason, such as a renewed server certificate. @maxItems 10 */
  readonly remarks?: readonly Remark[];
  /** Differences from the recorded outcomes, in a sentence each. @maxItems 1000 */
  readonly differences: readonly Difference[];
  /** The recorded outcomes were confirmed. */
  readonly passed: boolean;
}

/** @maxLength 5000 */
type Remark = string;

/** @maxLength 2000 */
type Difference = string;

/** A spot check that the owner signed. */
export interface SpotCheck {
  readonly version: 1;
  /** SHA-256 of the certificate's payload. */
  readonly certificate: Sha256;
  readonly result: SpotCheckResult;
  readonly owner: NamedKey;
}

/** A spot check before the owner signs. */
export type UnsignedSpotCheck = Omit<SpotCheck, 'owner'>;

/** The digest by which a spot check names a certificate. */
export function certificateDigest(certificate: Envelope): string {
  return hash('sha256', payloadText(certificate));
}

/** Signs the result of a spot check of a certificate. */
export function signSpotCheck(certificate: Envelope, result: SpotCheckResult, ownerKey: KeyObject): Envelope {
  const spotCheck = { version: 1, certificate: certificateDigest(certificate), result };
  return signDocument('spot-check', spotCheck, ownerKey);
}

/** Reads a spot check and its owner's key; throws an Error that names the defect. */
export function readSpotCheck(envelope: Envelope): SignedDocument<SpotCheck> {
  return readSignedDocument('spot-check', envelope);
}

/** Cases and verbatim calls of a spot check: each sends at least one request whose violation shows. */
export function trialsOf({ repeated, verbatim = 0 }: SpotCheckResult): number {
  return repeated + verbatim;
}

/**
 * Probability that a service which violates in a share of its calls passes a spot check of this many trials:
 * `(1 - share) ^ trials`.
 */
export function passProbability(share: number, trials: number): number {
  return (1 - share) ** trials;
}
