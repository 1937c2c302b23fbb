import { createPublicKey, type KeyObject } from 'node:crypto';
import { compileSchema, type Validation } from '../../spec/json-schema.ts';
import { requireFormatVersion } from '../format-version.ts';
import { canonicalJson, type Envelope, isSignedBy, type PayloadType } from './envelope.ts';
import { keyIdOf, publicDer } from './signing-key.ts';

/** A public key as documents name it. */
export interface NamedKey {
  readonly keyid: string;
  /** SubjectPublicKeyInfo in base64. */
  readonly publicKey: string;
}

/** A document with the key that signed it. */
export interface SignedDocument<T> {
  readonly document: T;
  readonly key: KeyObject;
}

const compiled = new Map<string, (value: unknown) => Validation<unknown>>();

/** Reads the owner's document in an envelope, and trusts nothing in it; throws an Error that names the defect. */
export function readSignedDocument<T extends { readonly owner: NamedKey }>(
  envelope: Envelope,
  payloadType: PayloadType,
  schema: string,
): SignedDocument<T> {
  if (envelope.payloadType !== payloadType) throw new Error(`is not of the type ${payloadType}`);
  const value: unknown = JSON.parse(payloadText(envelope));
  // Of another version, its schema may be another.
  const stated = (value as { readonly version?: unknown } | null)?.version;
  if (stated !== undefined) requireFormatVersion(stated, 1);
  const document = validated<T>(value, schema);
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
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = compileSchema(schema);
    compiled.set(schema, validate);
  }
  const validation = validate(value);
  if (validation.ok) return validation.value as T;
  const [error] = validation.errors;
  throw new Error(`is not valid: ${error?.instancePath || '/'} ${error?.message ?? 'has another form'}`);
}
