import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import canonicalize from 'canonicalize';
import { compileSchema } from '../../spec/json-schema.ts';
import { requireFormatVersion } from '../format-version.ts';
import type { Sha256, Text } from '../model/formats.ts';
import { keyIdOf, namedKey, publicDer } from './signing-key.ts';

/** Media type of an in-toto statement, the payload of a certificate. */
export const statementType = 'application/vnd.in-toto+json';

/** What a programme owner signs. Media type and schema are named after it. */
type OwnerDocument = 'challenge' | 'spot-check';

function mediaTypeOf(kind: OwnerDocument): string {
  return `application/vnd.commerce-conformance.${kind}+json`;
}

/** Media type of a challenge. */
export const challengeType: string = mediaTypeOf('challenge');

/** A DSSE envelope: a payload with its signatures, as challenges and spot checks are written. */
export interface Envelope {
  /** Media type of the payload. */
  readonly payloadType: Text;
  /** Base64. @pattern ^[A-Za-z0-9+/]*={0,2}$ */
  readonly payload: string;
  /** Empty where nobody signed. @maxItems 16 */
  readonly signatures: readonly Signature[];
}

/** A signature over the payload. */
interface Signature {
  /** SHA-256 of the public key. */
  readonly keyid: Sha256;
  /** Ed25519 signature in base64. @pattern ^[A-Za-z0-9+/]{86}==$ */
  readonly sig: string;
}

/** The envelope of a certificate; written as certificate.json. */
export interface CertificateEnvelope extends Envelope {
  readonly payloadType: typeof statementType;
  /** The owner's spot check; DSSE readers ignore this member. */
  readonly spotCheck?: Envelope;
}

/** Canonical JSON (RFC 8785) of a value, so that equal values have equal signatures. */
export function canonicalJson(value: unknown): string {
  // The round trip drops undefined members, as writing JSON does.
  return canonicalize(JSON.parse(JSON.stringify(value))) as string;
}

/** Puts a payload into an envelope; without a key, unsigned. */
export function enclose(
  payload: string,
  key: KeyObject | undefined,
  payloadType: string = statementType,
): Envelope {
  const envelope = { payloadType, payload: Buffer.from(payload).toString('base64'), signatures: [] };
  return key === undefined ? envelope : addSignature(envelope, key);
}

/** Adds the signature of a key over the same payload. */
export function addSignature(envelope: Envelope, key: KeyObject): Envelope {
  const sig = sign(null, authenticated(envelope), key).toString('base64');
  return { ...envelope, signatures: [...envelope.signatures, { keyid: keyIdOf(key), sig }] };
}

/** The text of an envelope's file. */
export function serialiseEnvelope(envelope: Envelope): string {
  return `${JSON.stringify(envelope, null, 2)}\n`;
}

/** Whether a key's signature is on the envelope. */
export function isSignedBy(envelope: Envelope, key: KeyObject): boolean {
  const keyId = keyIdOf(key);
  const message = authenticated(envelope);
  return envelope.signatures.some(
    ({ keyid, sig }) => keyid === keyId && verify(null, message, key, Buffer.from(sig, 'base64')),
  );
}

/** The pre-authentication encoding of DSSE, which a key signs. */
function authenticated({ payloadType, payload }: Envelope): Buffer {
  const bytes = Buffer.from(payload, 'base64');
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${bytes.length} `;
  return Buffer.concat([Buffer.from(head), bytes]);
}

/** A public key as documents name it. */
export interface NamedKey {
  /** SHA-256 of the public key. */
  readonly keyid: Sha256;
  /** SubjectPublicKeyInfo in base64. @pattern ^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$ @maxLength 4096 */
  readonly publicKey: string;
}

/** A document with the key that signed it. */
export interface SignedDocument<T> {
  readonly document: T;
  readonly key: KeyObject;
}

/** Puts a document into an envelope that its owner signs; throws where it does not follow its schema. */
export function signDocument(kind: OwnerDocument, document: object, ownerKey: KeyObject): Envelope {
  const owned: unknown = JSON.parse(JSON.stringify({ ...document, owner: namedKey(ownerKey) }));
  return enclose(canonicalJson(validated(owned, `${kind}.schema.json`)), ownerKey, mediaTypeOf(kind));
}

/** Reads the owner's document in an envelope, and trusts nothing in it; throws an Error that names the defect. */
export function readSignedDocument<T extends { readonly owner: NamedKey }>(
  kind: OwnerDocument,
  envelope: Envelope,
): SignedDocument<T> {
  if (envelope.payloadType !== mediaTypeOf(kind)) throw new Error(`is not of the type ${mediaTypeOf(kind)}`);
  const value: unknown = JSON.parse(payloadText(envelope));
  // Of another version, its schema may be another.
  const stated = (value as { readonly version?: unknown } | null)?.version;
  if (stated !== undefined) requireFormatVersion(stated, 1);
  const document = validated<T>(value, `${kind}.schema.json`);
  if (canonicalJson(document) !== payloadText(envelope)) throw new Error('is not canonical JSON');
  const key = readNamedKey(document.owner);
  if (!isSignedBy(envelope, key) || envelope.signatures.length !== 1)
    throw new Error('does not have exactly the signature of the owner key that it names');
  return { document, key };
}

/** The text in an envelope; throws where it is not base64 of UTF-8. */
export function payloadText(envelope: Envelope): string {
  const bytes = Buffer.from(envelope.payload, 'base64');
  const payload = bytes.toString('utf8');
  if (bytes.toString('base64') !== envelope.payload || !Buffer.from(payload).equals(bytes))
    throw new Error('has a payload that is not base64 of a text');
  return payload;
}

/** The key that a document names; throws where the name and the key differ. */
export function readNamedKey({ keyid, publicKey }: NamedKey): KeyObject {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('names a signer with a key of another kind');
  if (keyIdOf(key) !== keyid || publicDer(key).toString('base64') !== publicKey)
    throw new Error('names a signer whose key has another id');
  return key;
}

/** A value that follows a schema of `spec/`; throws an Error that names the first defect. */
export function validated<T>(value: unknown, schema: string): T {
  const validation = compileSchema<T>(schema)(value);
  if (validation.ok) return validation.value;
  const [error] = validation.errors;
  throw new Error(
    `is not valid: ${error?.instancePath || '/'} ${error?.message ?? 'has an unexpected form'}`,
  );
}
