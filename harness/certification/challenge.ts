import { hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import type { Instant, Sha256 } from '../model/formats.ts';
import { tried } from '../tried.ts';
import {
  type Envelope,
  type NamedKey,
  payloadText,
  readSignedDocument,
  type SignedDocument,
  signDocument,
  validated,
} from './envelope.ts';

/** A programme owner's request to certify one product at one base URL within a window. */
export interface Challenge {
  readonly version: 1;
  readonly vendor: Name;
  readonly product: Name;
  /** Base URL of the implementation. @minLength 1 @maxLength 2000 */
  readonly baseUrl: string;
  /** 32 random bytes. */
  readonly nonce: Sha256;
  readonly notBefore: Instant;
  readonly notAfter: Instant;
  /** The harness to use. */
  readonly harness: { readonly name: Name; readonly version: Name };
  /** Whether the certificate may be about a service on loopback. */
  readonly development: boolean;
  /** Id of the key that must sign the certificate; absent where any key may. */
  readonly vendorKey?: Sha256;
  readonly owner: NamedKey;
}

/** A name of limited length. @minLength 1 @maxLength 200 */
type Name = string;

/** Signs a new challenge. */
export function makeChallenge(
  terms: Omit<Challenge, 'version' | 'nonce' | 'owner'>,
  ownerKey: KeyObject,
): Envelope {
  const challenge = { version: 1, ...terms, nonce: randomBytes(32).toString('hex') };
  return signDocument('challenge', challenge, ownerKey);
}

/** Reads a challenge and its owner's key; throws an Error that names the defect. */
export function readChallenge(envelope: Envelope): SignedDocument<Challenge> {
  return readSignedDocument('challenge', envelope);
}

/** The challenge in the text of a file; throws an Error that names the defect. */
export function parseChallenge(text: string): SignedDocument<Challenge> & { readonly envelope: Envelope } {
  const value: unknown = tried(JSON.parse, text);
  if (value === undefined) throw new Error('is not JSON');
  const envelope = validated<Envelope>(value, 'envelope.schema.json');
  return { envelope, ...readChallenge(envelope) };
}

/**
 * Derives seed and run id by HKDF-SHA256: the nonce is the input key, the challenge's canonical JSON the salt, and
 * `commerce-conformance/v1 seed` (6 bytes, big-endian) or `commerce-conformance/v1 run-id` (16 bytes) the info.
 */
export function deriveRun(envelope: Envelope): { readonly seed: number; readonly id: string } {
  const nonce = Buffer.from(readChallenge(envelope).document.nonce, 'hex');
  const expand = (what: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', nonce, payloadText(envelope), `commerce-conformance/v1 ${what}`, length));
  return {
    seed: expand('seed', 6).readUIntBE(0, 6),
    id: `conformance-${expand('run-id', 16).toString('hex')}`,
  };
}
