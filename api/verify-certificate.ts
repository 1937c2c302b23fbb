import { verifyFolder } from '../cli/verify-folder.ts';
import { readPublicKey } from '../harness/certification/signing-key.ts';
import type { Expected } from '../harness/engine/verify/certificate-trust.ts';
import type { Verification } from '../harness/engine/verify/verify-certificate.ts';

/** Keys and claims that a verification requires. */
export interface VerificationOptions {
  /** PEM text of the vendor's Ed25519 public key, which must have signed. */
  readonly publicKey?: string;
  /** PEM text of the programme owner's public key. */
  readonly ownerKey?: string;
  /** Whether development certificates are accepted. */
  readonly development?: boolean;
  /** Claims that the certificate must make. */
  readonly expected?: Expected;
}

/** The result of a verification, with the level of trust and every claim. */
export interface VerifiedCertificate extends Verification {
  /** Whether it is valid, at any level; `unknown` if this version cannot verify it. */
  readonly holds: boolean | 'unknown';
}

/**
 * Evaluates the recorded evidence of a report folder again, and checks every claim of its certificate; sends nothing.
 * Throws a UsageError where there is nothing to verify or a key is not PEM.
 */
export async function verifyCertificate(
  folder: string,
  { publicKey, ownerKey, development, expected }: VerificationOptions = {},
): Promise<VerifiedCertificate> {
  const verification = await verifyFolder(folder, {
    publicKey: publicKey === undefined ? undefined : readPublicKey(publicKey, 'publicKey'),
    ownerKey: ownerKey === undefined ? undefined : readPublicKey(ownerKey, 'ownerKey'),
    development,
    expected,
  });
  const { problems, unknowns } = verification;
  return { ...verification, holds: problems.length > 0 ? false : unknowns.length > 0 ? 'unknown' : true };
}
