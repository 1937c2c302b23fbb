import { type KeyObject, sign, verify } from 'node:crypto';
import { keyIdOf } from './signing-key.ts';

/** Media type of what a certificate's envelope holds. */
export const payloadType = 'application/vnd.in-toto+json';

/** A DSSE envelope: a payload, and who vouches for it. */
export interface Envelope {
  readonly payloadType: typeof payloadType;
  /** Base64. */
  readonly payload: string;
  /** None where nobody vouches for it. */
  readonly signatures: ReadonlyArray<{ readonly keyid: string; readonly sig: string }>;
}

/** Puts a payload into an envelope; without a key, unsigned. */
export function enclose(payload: string, key: KeyObject | undefined): Envelope {
  return {
    payloadType,
    payload: Buffer.from(payload).toString('base64'),
    signatures:
      key === undefined
        ? []
        : [
            {
              keyid: keyIdOf(key),
              sig: sign(null, authenticated(payloadType, Buffer.from(payload)), key).toString('base64'),
            },
          ],
  };
}

/** The text of certificate.json. */
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

/** What is signed: DSSE's pre-authentication encoding. */
function authenticated(type: string, payload: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `),
    payload,
  ]);
}
