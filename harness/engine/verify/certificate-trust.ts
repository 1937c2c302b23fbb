import type { KeyObject } from 'node:crypto';
import { type Challenge, readChallenge } from '../../certification/challenge.ts';
import type { Claims, LevelOfTrust } from '../../certification/claims.ts';
import {
  type Envelope,
  isSignedBy,
  type SignedDocument,
  statementType,
} from '../../certification/envelope.ts';
import type { Certificate } from '../../certification/read-certificate.ts';
import { keyIdOf } from '../../certification/signing-key.ts';
import {
  certificateDigest,
  readSpotCheck,
  type SpotCheck,
  type UnsignedSpotCheck,
} from '../../certification/spot-check.ts';

const day = 86_400_000;
/** Milliseconds by which the clocks of owner and vendor may differ. */
export const clockSkew = 300_000;

/** The keys that a verifier trusts, and the required claims. */
export interface Trust {
  readonly now: Date;
  /** The key that must have signed. */
  readonly publicKey?: KeyObject | undefined;
  /** The key of the programme owner. */
  readonly ownerKey?: KeyObject | undefined;
  /** Whether development certificates are accepted. */
  readonly development?: boolean | undefined;
  readonly expected?: Expected | undefined;
}

/** Claims that a verifier requires. */
export interface Expected {
  readonly baseUrl?: string | undefined;
  /** Must come from the owner's challenge. */
  readonly vendor?: string | undefined;
  /** Days since the end of the run. */
  readonly maxAgeDays?: number | undefined;
}

/** The documents of the programme owner that a certificate holds. */
export interface Owned {
  readonly challenge?: SignedDocument<Challenge>;
  readonly spotCheck?: SignedDocument<SpotCheck>;
}

/** Reads the documents of the programme owner, and adds their defects to the problems. */
export function readOwned({ envelope, statement }: Certificate, now: Date, problems: string[]): Owned {
  const read = <T>(
    name: string,
    owned: Envelope | undefined,
    reading: (owned: Envelope) => T,
  ): T | undefined => {
    try {
      return owned && reading(owned);
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
      return undefined;
    }
  };
  const challenge = read('challenge', statement.predicate.challenge, readChallenge);
  const spotCheck = read('spot check', envelope.spotCheck, readSpotCheck);
  if (spotCheck !== undefined) {
    const { document, key } = spotCheck;
    problems.push(
      ...spotCheckProblems({ envelope, statement }, document, now).map((problem) => `spot check: ${problem}`),
    );
    if (challenge !== undefined && keyIdOf(key) !== keyIdOf(challenge.key))
      problems.push('spot check: its owner key is not that of the challenge');
  }
  return { ...(challenge && { challenge }), ...(spotCheck && { spotCheck }) };
}

/** Why a spot check does not confirm a certificate, in a sentence each. */
export function spotCheckProblems(
  { envelope, statement }: Pick<Certificate, 'envelope' | 'statement'>,
  { certificate, result }: UnsignedSpotCheck,
  now: Date,
): readonly string[] {
  const { baseUrl, startedAt, repeated, operations, passed, differences } = result;
  const { url, issuedAt, passedTests } = statement.predicate;
  const tested = new Set(passedTests.map((test) => test.split('/', 1)[0])).size;
  const problems: string[] = [];
  if (certificate !== certificateDigest(envelope)) problems.push('it is about another certificate');
  if (baseUrl !== url) problems.push('it is about another base URL');
  if (!(Date.parse(startedAt) >= Date.parse(issuedAt) - clockSkew))
    problems.push('it was made before the certificate');
  if (!(Date.parse(startedAt) <= now.getTime() + clockSkew)) problems.push('it was made in the future');
  if (operations > repeated)
    problems.push(`it reached ${operations} operations, and repeated only ${repeated} cases`);
  if (repeated === 0) problems.push('it repeated no case');
  else if (operations < tested) problems.push(`it reached ${operations} of ${tested} operations`);
  if (!passed || differences.length > 0) problems.push('the service did not pass it');
  return problems;
}

/** The level that the keys of the verifier prove. */
export function levelOf(
  { envelope, signer }: Certificate,
  { challenge, spotCheck }: Owned,
  { publicKey, ownerKey }: Trust,
  remarks: string[],
): LevelOfTrust {
  const isOwners = (key: KeyObject | undefined): boolean =>
    key !== undefined && ownerKey !== undefined && keyIdOf(key) === keyIdOf(ownerKey);
  const isChallenged = isOwners(challenge?.key);
  if (challenge !== undefined && !isChallenged)
    remarks.push(
      ownerKey === undefined
        ? `challenged by a key that you do not name, ${keyIdOf(challenge.key)}: give the owner's with --owner-key`
        : `challenged by ${keyIdOf(challenge.key)}, not by the owner's key ${keyIdOf(ownerKey)}`,
    );
  const isCountersigned =
    isChallenged && isOwners(spotCheck?.key) && ownerKey !== undefined && isSignedBy(envelope, ownerKey);
  if (isCountersigned) return 'countersigned';
  // The owner vouches for the vendor's key where the challenge names it.
  const isSigned =
    signer !== undefined &&
    (publicKey !== undefined
      ? isSignedBy(envelope, publicKey)
      : isChallenged && challenge?.document.vendorKey === keyIdOf(signer));
  if (!isSigned) return 'self-declared';
  return isChallenged ? 'challenged' : 'signed';
}

/** Claims that are not as the verifier requires. */
export function unexpectedClaims(
  claims: Claims,
  level: LevelOfTrust,
  { now, development, expected = {} }: Trust,
): readonly string[] {
  const problems: string[] = [];
  if (claims.development && development !== true)
    problems.push(
      'certificate.json: it is a development certificate, a rehearsal that proves nothing about a product (accept it: --development)',
    );
  if (expected.baseUrl !== undefined && expected.baseUrl !== claims.baseUrl)
    problems.push(`certificate.json: it is about ${claims.baseUrl}, not about ${expected.baseUrl}`);
  if (expected.vendor !== undefined) {
    if (expected.vendor !== claims.vendor)
      problems.push(
        `certificate.json: the vendor is ${claims.vendor ?? 'not named'}, not ${expected.vendor}`,
      );
    else if (level !== 'challenged' && level !== 'countersigned')
      problems.push('certificate.json: no trusted owner confirms the vendor (give --owner-key)');
  }
  const age = (now.getTime() - Date.parse(claims.endedAt)) / day;
  if (expected.maxAgeDays !== undefined && !(age <= expected.maxAgeDays))
    problems.push(
      `certificate.json: the run ended at ${claims.endedAt}, more than ${expected.maxAgeDays} days ago`,
    );
  return problems;
}

/** Defects of the signatures, and who signed. */
export function wrongSignature(
  { envelope, signer }: Certificate,
  { challenge }: Owned,
  level: LevelOfTrust,
  { publicKey }: Trust,
  remarks: string[],
): readonly string[] {
  const problems: string[] = [];
  if (envelope.payloadType !== statementType) problems.push('certificate.json: its payload has another type');
  if (signer !== undefined && !isSignedBy(envelope, signer))
    problems.push('certificate.json: the signature was not made with the key that it names');
  const named = signer === undefined ? undefined : keyIdOf(signer);
  const owner = challenge === undefined ? undefined : keyIdOf(challenge.key);
  const keyids = envelope.signatures.map(({ keyid }) => keyid);
  if (new Set(keyids).size < keyids.length) problems.push('certificate.json: a key has signed twice');
  for (const keyid of keyids) {
    if (keyid !== named && keyid !== owner)
      problems.push(`certificate.json: has a signature by ${keyid}, a key that it does not name`);
  }
  if (
    challenge !== undefined &&
    envelope.signatures.some(({ keyid }) => keyid === owner) &&
    !isSignedBy(envelope, challenge.key)
  )
    problems.push("certificate.json: the owner's signature is wrong");
  if (publicKey === undefined) {
    if (named === undefined) remarks.push('unsigned: anybody could have made it');
    else if (level === 'self-declared')
      remarks.push(
        `signed by an unknown key, ${named}: name the file of the key that you trust with --public-key`,
      );
  } else if (named !== keyIdOf(publicKey) || !isSignedBy(envelope, publicKey)) {
    problems.push(
      `certificate.json: ${named === undefined ? 'is unsigned' : `is signed by ${named}`}, not by ${keyIdOf(publicKey)}`,
    );
  } else remarks.push(`signed by ${keyIdOf(publicKey)}`);
  return problems;
}
