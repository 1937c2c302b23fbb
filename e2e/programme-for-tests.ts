import { createPublicKey, type KeyObject } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type RunningService, startService } from '../fixtures/reference-service/start-service.ts';
import { type Challenge, makeChallenge, parseChallenge } from '../harness/certification/challenge.ts';
import type { LevelOfTrust } from '../harness/certification/claims.ts';
import { addSignature, type Envelope, serialiseEnvelope } from '../harness/certification/envelope.ts';
import { generateSigningKey, keyIdOf, readPrivateKey } from '../harness/certification/signing-key.ts';
import { type SpotCheckResult, signSpotCheck } from '../harness/certification/spot-check.ts';
import type { Statement } from '../harness/certification/statement.ts';
import type { Verifier } from '../harness/engine/verify/verify-certificate.ts';
import { harnessIdentity } from '../harness/identity.ts';
import {
  type CertifiedTexts,
  certificateText,
  type Draft,
  derivedReport,
  draftOf,
  forged,
  forger,
  later,
  type Mutable,
  owner,
  ownerKeyFile,
  shortRun,
  statementIn,
  verified,
} from './certified-run-for-tests.ts';

// The helpers call the vendor's key the owner's; the programme has a key of its own.
export const vendor: typeof owner = owner;
export const vendorKey: KeyObject = readPrivateKey(vendor.privatePem, 'test');
export const strangerKey: KeyObject = readPrivateKey(forger.privatePem, 'test');
export let programmeKey: KeyObject;
export let folder: string;
export let service: RunningService;
export let challengeText: string;
export let genuine: CertifiedTexts;
export let another: CertifiedTexts;

export const certified: string = 'run --quiet --certify --development --target t.yaml --sign-key owner.pem';

/** Starts a service, and certifies it for two challenges of one programme. */
export async function startProgramme(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'conformance-programme-'));
  service = await startService();
  await ownerKeyFile(folder);
  await writeFile(join(folder, 't.yaml'), stringify(service.target));
  const pair = generateSigningKey();
  programmeKey = readPrivateKey(pair.privatePem, 'test');
  await mkdir(join(folder, 'programme'));
  await writeFile(join(folder, 'programme', 'certificate-private.pem'), pair.privatePem);
  await writeFile(join(folder, 'programme', 'certificate-public.pem'), pair.publicPem);
  const challenge = (): Envelope =>
    makeChallenge(
      {
        vendor: 'Acme',
        product: 'Shop',
        baseUrl: service.baseUrl,
        notBefore: new Date().toISOString(),
        notAfter: new Date(Date.now() + 14 * day).toISOString(),
        harness: harnessIdentity,
        development: true,
        vendorKey: keyIdOf(vendorKey),
      },
      programmeKey,
    );
  const envelope = challenge();
  challengeText = serialiseEnvelope(envelope);
  await writeFile(join(folder, 'genuine.json'), challengeText);
  const answering = (answered: Envelope): Promise<CertifiedTexts> =>
    shortRun(service, { envelope: answered, vendor: 'Acme', product: 'Shop' });
  genuine = await answering(envelope);
  another = await answering(challenge());
}

/** Ends what `startProgramme` started. */
export async function stopProgramme(): Promise<void> {
  await service.close();
  await rm(folder, { recursive: true, force: true });
}

/** The level that owner and vendor key prove, and the problems. */
export async function levelOf(
  files: CertifiedTexts,
  verifier: Partial<Verifier> = {},
): Promise<{ readonly level: LevelOfTrust | undefined; readonly problems: string }> {
  const { level, problems, unknowns } = await verified(files, {
    withKey: true,
    verifier: { ownerKey: createPublicKey(programmeKey), ...verifier },
  });
  return { level, problems: [...problems, ...unknowns].join('\n') };
}

export const passed = (): SpotCheckResult => ({
  baseUrl: service.baseUrl,
  startedAt: new Date().toISOString(),
  durationMs: 100,
  repeated: 40,
  unrepeated: 0,
  operations: 25,
  requests: 200,
  differences: [],
  passed: true,
});

export const envelopeOf = ({ certificate = '' }: CertifiedTexts): Envelope =>
  JSON.parse(certificate) as Envelope;

/** The genuine certificate, countersigned. */
export function countersigned(
  result: SpotCheckResult = passed(),
  key: KeyObject = programmeKey,
): CertifiedTexts {
  const envelope = envelopeOf(genuine);
  const signed = { ...addSignature(envelope, key), spotCheck: signSpotCheck(envelope, result, key) };
  return { ...genuine, certificate: serialiseEnvelope(signed) };
}

/** The challenge with other terms, signed by a key. */
export function otherChallenge(terms: Partial<Challenge>, key: KeyObject = programmeKey): Envelope {
  const {
    version: _version,
    nonce: _nonce,
    owner: _owner,
    ...others
  } = parseChallenge(challengeText).document;
  return makeChallenge({ ...others, ...terms }, key);
}

/** A certificate with a challenge in place of the genuine one, signed by the vendor. */
export function withChallenge(envelope: Envelope): CertifiedTexts {
  const draft = draftOf(genuine);
  const { document } = parseChallenge(JSON.stringify(envelope));
  draft.challenge = { envelope, vendor: document.vendor, product: document.product };
  return forged(draft, vendor.privatePem);
}

/** Files after a change of the draft that the vendor signs. */
export async function changed(
  change: (draft: Draft) => unknown,
  key: string = vendor.privatePem,
): Promise<CertifiedTexts> {
  const draft = draftOf(genuine);
  change(draft);
  draft.report = await derivedReport(draft);
  return forged(draft, key);
}

/** Files after a change of the statement that the vendor signs. */
export function stated(change: (statement: Mutable<Statement>) => unknown): CertifiedTexts {
  const statement = structuredClone(statementIn(genuine.certificate ?? '')) as Mutable<Statement>;
  change(statement);
  return { ...genuine, certificate: certificateText(statement as Statement, vendor.privatePem) };
}

export function shift({ report, log }: Draft, ms: number): void {
  report.run.startedAt = later(report.run.startedAt, ms);
  for (const exchange of log.exchanges) exchange.startedAt = later(exchange.startedAt, ms);
}

export const day: number = 86_400_000;
