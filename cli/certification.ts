import { hash, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { mostDays, obstacles, shortcomings, type Undertaking } from '../harness/certification/certifiable.ts';
import { type Challenge, deriveRun, parseChallenge } from '../harness/certification/challenge.ts';
import {
  canonicalJson,
  type Envelope,
  enclose,
  serialiseEnvelope,
} from '../harness/certification/envelope.ts';
import { keyIdOf, namedKey } from '../harness/certification/signing-key.ts';
import { statementOf } from '../harness/certification/statement.ts';
import { targetObstacles } from '../harness/certification/target-obstacles.ts';
import { clockSkew } from '../harness/engine/verify/certificate-trust.ts';
import { digestOf } from '../harness/evidence/byte-source.ts';
import { readEvidence } from '../harness/evidence/read-evidence.ts';
import { harnessIdentity } from '../harness/identity.ts';
import type { Report } from '../harness/model/report.ts';
import type { RunOptions } from '../harness/model/run-options.ts';
import { readTextFile } from '../harness/read-text-file.ts';
import { UsageError } from '../harness/usage-error.ts';
import { writeAtomically } from '../harness/write-atomically.ts';
import { flagOf, optionRows, optionTable, type RunFlags } from '../spec/options.ts';
import { readSigningKeyFile } from './options/pem-files.ts';
import type { Settings } from './options/read-settings.ts';
import { certificateName, evidenceName } from './report-folder/report-dir.ts';

/** How a certificate is made. */
export interface Certification {
  readonly days: number;
  readonly signKey: KeyObject | undefined;
  readonly challenge?: { readonly envelope: Envelope; readonly vendor: string; readonly product: string };
  /** Why no certificate will be written; only for unsigned runs, whose target may be one that cannot be certified. */
  readonly withheld: readonly string[];
  /** Seed and run id that the challenge requires. */
  readonly derived?: { readonly seed: number; readonly id: string };
}

/** The parts of a run that decide, before anything is sent, whether it can lead to a certificate. */
interface ToCertify extends Undertaking {
  readonly options: Undertaking['options'] & Pick<RunOptions, 'certify' | 'insecure' | 'maxRequests'>;
  /** The limit that suffices for a conforming service; undefined where the requests have been sent. */
  readonly sufficient?: number;
  readonly target: Undertaking['target'] & { readonly baseUrl: string };
  readonly embedded: boolean;
  readonly unixSocket?: string | undefined;
  readonly proxy?: Settings['proxy'];
}

/** Reads the flags about certificates, and refuses before anything is sent a run that cannot lead to one; undefined without `--certify`. */
export async function readCertification(
  flags: RunFlags,
  toCertify: ToCertify,
): Promise<Certification | undefined> {
  const { options, target, given } = toCertify;
  const { signKey, certificateDays: days = optionTable.certificateDays.default } = flags;
  if (!options.certify) {
    const needless = optionRows.find(
      ([name, row]) => row.certificate === 'only' && flags[name as keyof RunFlags] !== undefined,
    );
    if (needless === undefined) return undefined;
    throw new UsageError({
      where: flagOf(...needless),
      what: 'it needs --certify',
      remedy: 'add --certify, or omit the flag',
    });
  }
  const key = signKey === undefined ? undefined : await readSigningKeyFile(signKey, '--sign-key');
  const { sufficient = 0 } = toCertify;
  const ofTarget = targetObstacles({
    baseUrl: target.baseUrl,
    embedded: toCertify.embedded,
    insecure: options.insecure,
    unixSocket: toCertify.unixSocket,
    proxy: toCertify.proxy && new URL(toCertify.proxy.url).origin,
    allowProxy: given['allowProxy'],
    development: given['development'] === true,
  });
  // Without a signature, --certify is also a gate for services on any machine.
  const isGate = signKey === undefined && flags.challenge === undefined;
  const why = [
    ...obstacles(toCertify),
    flags.evidence === false && '--no-evidence leaves nothing to verify',
    options.maxRequests < sufficient &&
      `--max-requests ${options.maxRequests} may be too few: ${sufficient} suffice for a service that conforms`,
    ...(isGate ? [] : ofTarget),
  ].filter((reason) => typeof reason === 'string');
  if (why.length > 0) {
    throw new UsageError({
      where: '--certify',
      what: 'a certificate omits nothing, accepts no finding, and covers a service that others can reach',
      why,
      remedy: 'run without that, or without --certify',
    });
  }
  if (days > mostDays) {
    throw new UsageError({
      where: '--certificate-days',
      what: `a certificate is valid for at most ${mostDays} days`,
      remedy: 'give a smaller number, and certify again in time',
    });
  }
  const undertaken = { days, signKey: key, withheld: isGate ? ofTarget : [] };
  if (flags.challenge === undefined) return undertaken;
  const { envelope, document } = await readChallengeFile(flags.challenge);
  const unanswerable = refusals(document, toCertify, key);
  if (unanswerable.length > 0) {
    throw new UsageError({
      where: '--challenge',
      what: 'this run cannot answer the challenge',
      why: unanswerable,
      remedy: 'change the command, or ask the programme owner for another challenge',
    });
  }
  const { vendor, product } = document;
  return { ...undertaken, challenge: { envelope, vendor, product }, derived: deriveRun(envelope) };
}

/** The challenge in a file, its owner's signature verified. */
async function readChallengeFile(file: string): Promise<ReturnType<typeof parseChallenge>> {
  const text = await readTextFile(file, 'challenge', 'ask the programme owner for it');
  try {
    return parseChallenge(text);
  } catch (error) {
    throw new UsageError({
      where: '--challenge',
      what: `${file} is not a challenge`,
      why: `it ${(error as Error).message}`,
      remedy: 'use the file as the programme owner sent it',
    });
  }
}

/** Why a run with this key cannot answer a challenge. */
function refusals(
  challenge: Challenge,
  { target, given }: ToCertify,
  signKey: KeyObject | undefined,
): readonly string[] {
  const now = Date.now();
  const { notBefore, notAfter, vendorKey, development } = challenge;
  const { name, version } = challenge.harness;
  const ownKey = signKey && keyIdOf(signKey);
  const isForeignKey = ownKey !== undefined && vendorKey !== undefined && vendorKey !== ownKey;
  return [
    ownKey === undefined && 'your key is missing: --sign-key',
    isForeignKey && `it requires the key ${vendorKey}, and --sign-key is ${ownKey}`,
    challenge.baseUrl !== target.baseUrl &&
      `it is for ${challenge.baseUrl}, and the target is ${target.baseUrl}`,
    now < Date.parse(notBefore) - clockSkew && `its window begins at ${notBefore}`,
    now > Date.parse(notAfter) && `its window ended at ${notAfter}`,
    (name !== harnessIdentity.name || version !== harnessIdentity.version) &&
      `it requires ${name} ${version}, and this is ${harnessIdentity.version}: npx ${name}@${version} run …`,
    given['seed'] !== undefined && '--seed is set, and the challenge determines the seed',
    development !== (given['development'] === true) &&
      (development ? 'it requires --development' : 'it does not allow --development'),
  ].filter((reason) => typeof reason === 'string');
}

/**
 * Writes certificate.json if the report deserves it, whole or not at all. Returns a message, and whether the file was
 * written.
 */
export async function writeCertificate(
  folder: string,
  report: Report,
  { days, signKey, challenge, withheld }: Certification,
): Promise<{ readonly written: boolean; readonly withheld?: true; readonly says: string }> {
  const refused = (why: string) => ({ written: false, says: `No certificate: ${why}` });
  const reasons = shortcomings(report);
  if (reasons.length > 0) return refused(`${reasons.join('; ')}.`);
  if (withheld.length > 0) return { ...refused(`${withheld.join('; ')}.`), withheld: true };
  const path = join(folder, certificateName);
  try {
    const { readCertifiedFolder, verifyFiles } = await import('./verify-folder.ts');
    const { report: reportText = '', evidence } = await readCertifiedFolder(folder);
    if (evidence === undefined) throw new Error(`there is no ${evidenceName}`);
    const { run } = await readEvidence(evidence);
    const issued = new Date();
    const statement = statementOf({
      report,
      run,
      digests: { report: hash('sha256', reportText), evidence: await digestOf(evidence) },
      issuedAt: issued.toISOString(),
      expiresAt: new Date(issued.getTime() + days * 86_400_000).toISOString(),
      ...(signKey && { signer: namedKey(signKey) }),
      ...(challenge && { challenge }),
    });
    const certificate = serialiseEnvelope(enclose(canonicalJson(statement), signKey));
    // A certificate that fails verification here would fail it everywhere.
    const files = { certificate, report: reportText, evidence };
    const { problems, unknowns } = await verifyFiles(files, { development: true });
    const [problem] = [...problems, ...unknowns];
    if (problem !== undefined)
      return refused(
        `this run could not be verified: ${problem}\nThis does not mean that the service violates the contract. If it names times, correct the clocks. Otherwise run again, and report it if it persists.`,
      );
    await writeAtomically(path, certificate);
    const { signer, expiresAt } = statement.predicate;
    const who = signer === undefined ? 'unsigned' : `signed by ${signer.keyid}`;
    const kind = statement.predicate.development === true ? 'Development certificate' : 'Certificate';
    const answers = challenge === undefined ? '' : ', answers the challenge';
    const says = `${kind}: ${path}, ${who}${answers}, valid until ${expiresAt.slice(0, 10)}`;
    return { written: true, says };
  } catch (error) {
    return refused(`it could not be written: ${(error as Error).message}`);
  }
}
