import type { KeyObject } from 'node:crypto';
import { type Challenge, deriveRun, readChallenge } from '../../certification/challenge.ts';
import { type Claims, type LevelOfTrust, reaches } from '../../certification/claims.ts';
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
import { type CertifiedRun, isDevelopment } from '../../certification/statement.ts';

const day = 86_400_000;
/** Milliseconds by which the clocks of owner and vendor may differ. */
export const clockSkew = 300_000;

/** The keys that a verifier trusts, and the required claims. */
export interface Trust {
  readonly now: Date;
  /** The key that must have signed. */
  readonly publicKey?: KeyObject | undefined;
  readonly ownerKey?: KeyObject | undefined;
  readonly development?: boolean | undefined;
  readonly expected?: Expected | undefined;
}

/** Claims that a verifier requires. */
export interface Expected {
  readonly baseUrl?: string | undefined;
  /** Must come from the owner's challenge. */
  readonly vendor?: string | undefined;
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
  return [
    certificate !== certificateDigest(envelope) && 'it is about another certificate',
    baseUrl !== url && 'it is about another base URL',
    !(Date.parse(startedAt) >= Date.parse(issuedAt) - clockSkew) && 'it was made before the certificate',
    !(Date.parse(startedAt) <= now.getTime() + clockSkew) && 'it was made in the future',
    operations > repeated && `it reached ${operations} operations, and repeated only ${repeated} cases`,
    repeated === 0 && 'it repeated no case',
    repeated !== 0 && operations < tested && `it reached ${operations} of ${tested} operations`,
    (!passed || differences.length > 0) && 'the service did not pass it',
  ].filter((problem) => problem !== false);
}

/** The level that the keys of the verifier prove. */
export function levelOf(
  { envelope, signer }: Certificate,
  { challenge, spotCheck }: Owned,
  { publicKey, ownerKey }: Trust,
  remarks: string[],
): LevelOfTrust {
  const isOwners = (key: KeyObject): boolean => ownerKey !== undefined && keyIdOf(key) === keyIdOf(ownerKey);
  const isChallenged = challenge !== undefined && isOwners(challenge.key);
  if (challenge !== undefined && !isChallenged)
    remarks.push(
      ownerKey === undefined
        ? `challenged by a key that you do not name, ${keyIdOf(challenge.key)}: give the owner's with --owner-key`
        : `challenged by ${keyIdOf(challenge.key)}, not by the owner's key ${keyIdOf(ownerKey)}`,
    );
  if (
    isChallenged &&
    spotCheck !== undefined &&
    isOwners(spotCheck.key) &&
    isSignedBy(envelope, spotCheck.key)
  )
    return 'countersigned';
  // The owner vouches for the vendor's key where the challenge names it.
  const isSigned =
    signer !== undefined &&
    (publicKey !== undefined
      ? isSignedBy(envelope, publicKey)
      : isChallenged && challenge.document.vendorKey === keyIdOf(signer));
  if (!isSigned) return 'self-declared';
  return isChallenged ? 'challenged' : 'signed';
}

/** Claims that are not as the verifier requires. */
export function unexpectedClaims(
  claims: Claims,
  level: LevelOfTrust,
  { now, development, expected = {} }: Trust,
): readonly string[] {
  const { baseUrl = claims.baseUrl, vendor, maxAgeDays } = expected;
  const age = (now.getTime() - Date.parse(claims.endedAt)) / day;
  return [
    claims.development &&
      development !== true &&
      'it is a development certificate, a rehearsal that proves nothing about a product (accept it: --development)',
    baseUrl !== claims.baseUrl && `it is about ${claims.baseUrl}, not about ${baseUrl}`,
    vendor !== undefined &&
      vendor !== claims.vendor &&
      `the vendor is ${claims.vendor ?? 'not named'}, not ${vendor}`,
    vendor === claims.vendor &&
      !reaches(level, 'challenged') &&
      'no trusted owner confirms the vendor (give --owner-key)',
    maxAgeDays !== undefined &&
      !(age <= maxAgeDays) &&
      `the run ended at ${claims.endedAt}, more than ${maxAgeDays} days ago`,
  ]
    .filter((problem) => problem !== false)
    .map((problem) => `certificate.json: ${problem}`);
}

/** Defects of the signatures, and who signed. */
export function wrongSignature(
  { envelope, signer }: Certificate,
  { challenge }: Owned,
  level: LevelOfTrust,
  { publicKey }: Trust,
  remarks: string[],
): readonly string[] {
  const named = signer && keyIdOf(signer);
  const owner = challenge && keyIdOf(challenge.key);
  const trusted = publicKey && keyIdOf(publicKey);
  const keyids = envelope.signatures.map(({ keyid }) => keyid);
  const strangers = keyids.filter((keyid) => keyid !== named && keyid !== owner);
  const isTrusted = publicKey !== undefined && named === trusted && isSignedBy(envelope, publicKey);
  if (isTrusted) remarks.push(`signed by ${trusted}`);
  else if (publicKey === undefined && named === undefined)
    remarks.push('unsigned: anybody could have made it');
  else if (publicKey === undefined && level === 'self-declared')
    remarks.push(
      `signed by an unknown key, ${named}: name the file of the key that you trust with --public-key`,
    );
  return [
    envelope.payloadType !== statementType && 'its payload has another type',
    signer !== undefined &&
      !isSignedBy(envelope, signer) &&
      (named !== undefined && keyids.includes(named)
        ? 'the signature was not made with the key that it names'
        : 'it names a key, and has no signature by it'),
    new Set(keyids).size < keyids.length && 'a key has signed twice',
    ...strangers.map((keyid) => `has a signature by ${keyid}, a key that it does not name`),
    challenge !== undefined &&
      keyids.some((keyid) => keyid === owner) &&
      !isSignedBy(envelope, challenge.key) &&
      "the owner's signature is wrong",
    publicKey !== undefined &&
      !isTrusted &&
      `${named === undefined ? 'is unsigned' : `is signed by ${named}`}, not by ${trusted}`,
  ]
    .filter((problem) => problem !== false)
    .map((problem) => `certificate.json: ${problem}`);
}

/** Differences between a challenge and the run that claims to answer it, in a sentence each. */
export function challengeProblems(
  envelope: Envelope,
  challenge: Challenge,
  { statement, signer, report, run }: Certificate & Pick<CertifiedRun, 'report' | 'run'>,
): readonly string[] {
  const problems: string[] = [];
  const { predicate } = statement;
  const object = (problem: string): void => {
    problems.push(`challenge: ${problem}`);
  };
  for (const name of ['vendor', 'product'] as const) {
    if (predicate[name] !== challenge[name])
      object(`it is for the ${name} ${challenge[name]}, and the certificate names ${predicate[name]}`);
  }
  if (run.target.baseUrl !== challenge.baseUrl)
    object(`it is for ${challenge.baseUrl}, and the run tested ${run.target.baseUrl}`);
  const { name, version } = challenge.harness;
  if (run.harness.name !== name || run.harness.version !== version)
    object(`it requires ${name} ${version}, and the run used ${run.harness.name} ${run.harness.version}`);
  if (isDevelopment(report) !== challenge.development)
    object('it and the run differ in whether this is a development certificate');
  const derived = deriveRun(envelope);
  if (run.options.seed !== derived.seed) object('the seed of the run does not derive from its nonce');
  if (run.id !== derived.id || run.shards !== undefined)
    object('the run id, and so every request id, does not derive from its nonce');
  if (signer === undefined) object('an unsigned certificate cannot answer it');
  else if (challenge.vendorKey !== undefined && challenge.vendorKey !== keyIdOf(signer))
    object(`it requires the vendor key ${challenge.vendorKey}, and ${keyIdOf(signer)} signed`);
  if (signer !== undefined && keyIdOf(signer) === challenge.owner.keyid)
    object('its owner and the vendor have the same key');
  const began = Date.parse(report.run.startedAt);
  const ended = began + report.run.durationMs;
  if (
    !(
      began >= Date.parse(challenge.notBefore) - clockSkew &&
      ended <= Date.parse(challenge.notAfter) + clockSkew
    )
  )
    object(
      `the run of ${report.run.startedAt} is outside its window, ${challenge.notBefore} to ${challenge.notAfter}`,
    );
  return problems;
}
