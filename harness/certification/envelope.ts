import { type KeyObject, sign, verify } from 'node:crypto';
import canonicalize from 'canonicalize';
import { keyIdOf } from './signing-key.ts';

/** Media type of an in-toto statement, the payload of a certificate. */
export const statementType = 'application/vnd.in-toto+json';
/** Media type of a challenge. */
export const challengeType = 'application/vnd.commerce-conformance.challenge+json';
/** Media type of the result of a spot check. */
export const spotCheckType = 'application/vnd.commerce-conformance.spot-check+json';

/** Media types of the payloads that envelopes hold. */
export type PayloadType = typeof statementType | typeof challengeType | typeof spotCheckType;

/** A DSSE envelope: a payload with its signatures. */
export interface Envelope {
  readonly payloadType: PayloadType;
  /** Base64. */
  readonly payload: string;
  /** Empty where nobody signed. */
  readonly signatures: ReadonlyArray<{ readonly keyid: string; readonly sig: string }>;
  /** The owner's spot check of a certificate; DSSE readers ignore this member. */
  readonly spotCheck?: Envelope;
}

/** Canonical JSON (RFC 8785) of a value, so that equal values have equal signatures. */
export function canonicalJson(value: unknown): string {
  // The round trip drops members that are undefined, as everything that is written does.
  return canonicalize(JSON.parse(JSON.stringify(value))) as string;
}

/** Puts a payload into an envelope; without a key, unsigned. */
export function enclose(
  payload: string,
  key: KeyObject | undefined,
  payloadType: PayloadType = statementType,
): Envelope {
  const envelope: Envelope = {
    payloadType,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [],
  };
  return key === undefined ? envelope : addSignature(envelope, key);
}

/** Adds the signature of a key over the same payload. */
export function addSignature(envelope: Envelope, key: KeyObject): Envelope {
  const message = authenticated(envelope.payloadType, Buffer.from(envelope.payload, 'base64'));
  const signature = { keyid: keyIdOf(key), sig: sign(null, message, key).toString('base64') };
  return { ...envelope, signatures: [...envelope.signatures, signature] };
}

/** The text of an envelope's file. */
export function serialiseEnvelope(envelope: Envelope): string {
  return `${JSON.stringify(envelope, null, 2)}\n`;
}

/** Whether a key's signature is on the envelope. */
export function isSignedBy(envelope: Envelope, key: KeyObject): boolean {
  const keyid = keyIdOf(key);
  const message = authenticated(envelope.payloadType, Buffer.from(envelope.payload, 'base64'));
  return envelope.signatures.some(
    (signature) =>
      signature.keyid === keyid && verify(null, message, key, Buffer.from(signature.sig, 'base64')),
  );
}

/** The pre-authentication encoding of DSSE, which is what a key signs. */
function authenticated(type: string, payload: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `),
    payload,
  ]);
}
