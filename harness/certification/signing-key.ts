import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import { UsageError } from '../usage-error.ts';

/** A fresh Ed25519 pair as PEM texts. */
export function generateSigningKey(): { readonly privatePem: string; readonly publicPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }) as string,
  };
}

/** The private key in a PEM text; `where` names the flag in error messages. */
export function readPrivateKey(pem: string, where: string): KeyObject {
  return readKey(where, 'an Ed25519 private key', () => createPrivateKey(pem));
}

/** The public key in a PEM text; a private key would work too, but verifiers must not have it. */
export function readPublicKey(pem: string, where: string): KeyObject {
  return readKey(where, 'an Ed25519 public key', () => {
    if (pem.includes('PRIVATE KEY')) throw new Error('it holds a private key');
    return createPublicKey(pem);
  });
}

function readKey(where: string, what: string, read: () => KeyObject): KeyObject {
  let why = 'it is a key of another kind';
  try {
    const key = read();
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (error) {
    // Messages of OpenSSL may contain parts of the file.
    why = (error as Error).message === 'it holds a private key' ? 'it holds a private key' : 'it is not PEM';
  }
  throw new UsageError({
    where,
    what: `the file does not hold ${what}`,
    why,
    remedy: 'make a pair: npx commerce-conformance keygen',
  });
}

/** DER of the public half in SubjectPublicKeyInfo. */
export function publicDer(key: KeyObject): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ type: 'spki', format: 'der' });
}

/** The id of a key: SHA-256 of its public half. */
export function keyIdOf(key: KeyObject): string {
  return hash('sha256', publicDer(key));
}

/** A key as documents name it: its id and its public half. */
export function namedKey(key: KeyObject): { readonly keyid: string; readonly publicKey: string } {
  return { keyid: keyIdOf(key), publicKey: publicDer(key).toString('base64') };
}
