import { createPublicKey } from 'node:crypto';
import { join } from 'node:path';
import { reaches } from '../../harness/certification/claims.ts';
import {
  addSignature,
  isSignedBy,
  serialiseEnvelope,
  validated,
} from '../../harness/certification/envelope.ts';
import { keyIdOf } from '../../harness/certification/signing-key.ts';
import { signSpotCheck, type UnsignedSpotCheck } from '../../harness/certification/spot-check.ts';
import { spotCheckProblems } from '../../harness/engine/verify/certificate-trust.ts';
import { readTextFile } from '../../harness/read-text-file.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { writeAtomically } from '../../harness/write-atomically.ts';
import type { CommandFlags } from '../../spec/command-options.ts';
import type { CommandDefinition } from '../command-list.ts';
import { readPublicKeyFile, readSigningKeyFile } from '../options/pem-files.ts';
import { certificateName } from '../report-folder/report-dir.ts';
import { readCertified } from '../verify-folder.ts';

/** `countersign`: adds the owner's signature and spot check to a certificate. */
export const command: CommandDefinition = {
  after: `Example:
  npx commerce-conformance countersign acme --spot-check acme-spot-check.json --sign-key owner/certificate-private.pem`,
  arguments: [['<dir>']],
  run: countersign,
};

async function countersign(folder: string, flags: CommandFlags<'countersign'>): Promise<void> {
  const key = await readSigningKeyFile(flags.signKey, '--sign-key');
  const { certificate, verification } = await readCertified(folder, {
    ownerKey: createPublicKey(key),
    development: flags.development === true,
    publicKey: await readPublicKeyFile(flags.publicKey, '--public-key'),
  });
  const { envelope } = certificate;
  const { level = 'self-declared' } = verification;
  if (!reaches(level, 'challenged'))
    throw new UsageError({
      where: folder,
      what: `the level of trust is only ${level}; required: challenged`,
      why: verification.remarks,
      remedy: 'sign with the key of the challenge, and name the vendor key with --public-key',
    });
  if (isSignedBy(envelope, createPublicKey(key)) || envelope.spotCheck !== undefined)
    throw new UsageError({ where: folder, what: 'the certificate is already countersigned' });
  const spotCheck = await readSpotCheckFile(flags.spotCheck);
  const { result } = spotCheck;
  const why = spotCheckProblems(certificate, spotCheck, new Date());
  if (!result.passed || result.differences.length > 0)
    throw new UsageError({
      where: '--spot-check',
      what: 'the service did not pass the spot check',
      why: result.differences.slice(0, 5),
      remedy: 'do not countersign; send the differences to the vendor',
    });
  if (why.length > 0) throw notConfirming(flags.spotCheck, why);
  const countersigned = {
    ...addSignature(envelope, key),
    spotCheck: signSpotCheck(envelope, result, key),
  };
  const path = join(folder, certificateName);
  try {
    await writeAtomically(path, serialiseEnvelope(countersigned));
  } catch (error) {
    throw new UsageError({ where: path, what: 'cannot be written', why: (error as Error).message });
  }
  process.stdout.write(`${path}  countersigned by ${keyIdOf(key)}\n`);
}

async function readSpotCheckFile(file: string): Promise<UnsignedSpotCheck> {
  const text = await readTextFile(file, 'spot check', 'run spot-check first');
  try {
    const spotCheck = JSON.parse(text) as UnsignedSpotCheck;
    const owner = { keyid: '0'.repeat(64), publicKey: '' };
    validated({ ...spotCheck, owner }, 'spot-check.schema.json');
    return spotCheck;
  } catch (error) {
    throw notConfirming(file, [`it ${(error as Error).message}`]);
  }
}

function notConfirming(file: string, why: readonly string[]): UsageError {
  return new UsageError({
    where: '--spot-check',
    what: `${file} does not confirm this certificate`,
    why,
    remedy: 'run spot-check on this folder',
  });
}
