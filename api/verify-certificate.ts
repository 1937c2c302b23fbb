import { verifyFolder } from '../cli/verify-folder.ts';
import { readPublicKey } from '../harness/certification/signing-key.ts';
import type { Verification } from '../harness/engine/verify-certificate.ts';

/** What a certificate is held against besides itself. */
export interface VerificationOptions {
  /** PEM text of the Ed25519 public key that must have signed; any signature or none will do where it is absent. */
  readonly publicKey?: string;
}

/** What came of a verification. */
export interface VerifiedCertificate extends Verification {
  /** Whether it holds; `unknown` where this version cannot tell. */
  readonly holds: boolean | 'unknown';
}

/**
 * Evaluates the recorded evidence of a report folder again and checks every claim of its certificate; sends nothing.
 * Throws a UsageError where there is nothing to verify, or the key is none.
 */
export async function verifyCertificate(
  folder: string,
  { publicKey }: VerificationOptions = {},
): Promise<VerifiedCertificate> {
  const key = publicKey === undefined ? undefined : readPublicKey(publicKey, 'publicKey');
  const verification = await verifyFolder(folder, key);
  const { problems, unknowns } = verification;
  return { ...verification, holds: problems.length > 0 ? false : unknowns.length > 0 ? 'unknown' : true };
}
