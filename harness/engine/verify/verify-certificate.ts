import { hash } from 'node:crypto';
import { mayBeStated, type RunFlags } from '../../../spec/options.ts';
import { mostDays, obstacles, shortcomings } from '../../certification/certifiable.ts';
import type { Challenge } from '../../certification/challenge.ts';
import { type Claims, claimsOf, type LevelOfTrust } from '../../certification/claims.ts';
import { canonicalJson } from '../../certification/envelope.ts';
import { type Certificate, readCertificate } from '../../certification/read-certificate.ts';
import { configured, isDevelopment, statementOf } from '../../certification/statement.ts';
import { peerProblems, targetObstacles } from '../../certification/target-obstacles.ts';
import { type Catalogue, catalogueDigest } from '../../checks/catalogue.ts';
import { defined } from '../../defined.ts';
import { type ByteSource, digestOf } from '../../evidence/byte-source.ts';
import { type EvidenceRun, recordedOptions } from '../../evidence/evidence-format.ts';
import { readEvidence } from '../../evidence/read-evidence.ts';
import { OtherFormatVersion } from '../../format-version.ts';
import type { Report } from '../../model/report.ts';
import { examineBaseUrl } from '../../target/base-url.ts';
import { settledOptions } from '../run/stated-options.ts';
import {
  challengeProblems,
  clockSkew,
  levelOf,
  readOwned,
  type Trust,
  unexpectedClaims,
  wrongSignature,
} from './certificate-trust.ts';
import { dateHeaderProblems } from './evidence-inconsistencies.ts';
import { pairs, type RecomputedRequests, verifyEvidence } from './verify-evidence.ts';
/** The raw files of a report folder; undefined for a missing one. */
export interface CertifiedFiles {
  readonly certificate: string | undefined;
  readonly report: string | undefined;
  readonly evidence: ByteSource | undefined;
}

/** The input of the verifier. */
export interface Verifier extends Trust {
  readonly catalogue: Catalogue;
  readonly harness: { readonly name: string; readonly version: string };
  readonly readReport: (text: string) => Report;
  readonly writeReport: (report: Report) => string;
}

/** The result of a verification: the certificate is valid where `problems` and `unknowns` are empty. */
export interface Verification {
  /** Defects, in a sentence each. */
  readonly problems: string[];
  /** Reasons why this version cannot verify it. */
  readonly unknowns: string[];
  /** Facts for readers, such as the signer. */
  readonly remarks: string[];
  /** The level of trust that the given keys prove; undefined where the certificate is not valid. */
  level?: LevelOfTrust;
  /** Everything that it claims; undefined where it cannot be read. */
  claims?: Claims;
  /** Requests of cases, and those of them that are as the seed and the recorded responses require. */
  recomputed?: RecomputedRequests;
}

/** Milliseconds that may pass between the end of a run and its certificate. */
const issuedWithin = 3_600_000;
const day = 86_400_000;

/** Verifies a certificate with its report and evidence, and recomputes everything that it can. Never throws. */
export async function verifyCertificate(files: CertifiedFiles, verifier: Verifier): Promise<Verification> {
  const found: Verification = { problems: [], unknowns: [], remarks: [] };
  try {
    await verify(files, verifier, found);
  } catch (error) {
    found.problems.push(`the files cannot be evaluated again: ${(error as Error).message}`);
  }
  if (found.problems.length + found.unknowns.length > 0) delete found.level;
  return found;
}

async function verify(files: CertifiedFiles, verifier: Verifier, found: Verification): Promise<void> {
  const { problems, unknowns, remarks } = found;
  let isOtherVersion = true;
  const read = async <Content, Result>(
    name: string,
    content: Content | undefined,
    reading: (content: Content) => Result | Promise<Result>,
  ): Promise<Result | undefined> => {
    if (content === undefined) {
      problems.push(`${name}: there is none`);
      return undefined;
    }
    try {
      return await reading(content);
    } catch (error) {
      const isUnknown = isOtherVersion && error instanceof OtherFormatVersion;
      (isUnknown ? unknowns : problems).push(`${name}: ${(error as Error).message}`);
      return undefined;
    }
  };
  const certificate = await read('certificate.json', files.certificate, readCertificate);
  // One version writes all files: where the certificate is of this one, evidence of another is a forgery.
  isOtherVersion = unknowns.length > 0;
  const report = await read('report.json', files.report, (text) => readReport(text, verifier));
  const evidence = await read('evidence.har', files.evidence, readEvidence);
  const digests = {
    report: hash('sha256', files.report ?? ''),
    evidence: files.evidence === undefined ? '' : await digestOf(files.evidence),
  };
  const owned = certificate === undefined ? {} : readOwned(certificate, verifier.now, problems);
  if (certificate !== undefined) {
    const { statement } = certificate;
    found.claims = claimsOf(statement, owned.challenge?.document, owned.spotCheck?.document.result);
    found.level = levelOf(certificate, owned, verifier, remarks);
    problems.push(...wrongSignature(certificate, owned, found.level, verifier, remarks));
    problems.push(...wrongDates(certificate, verifier.now));
    problems.push(...unexpectedClaims(found.claims, found.level, verifier));
    for (const [name, content, digest] of [
      ['report.json', files.report, digests.report],
      ['evidence.har', files.evidence, digests.evidence],
    ] as const) {
      if (content !== undefined && digest !== configured(statement, name))
        problems.push(
          `${name}: is not the file that the certificate covers, as its SHA-256 differs: verify it as the run wrote it, byte for byte`,
        );
    }
  }
  if (report === undefined || evidence === undefined) return;
  const { run } = evidence;
  if (certificate !== undefined) {
    const challenged = owned.challenge?.document;
    problems.push(...wrongStatement(certificate, challenged, report, run, digests));
    const { challenge } = certificate.statement.predicate;
    if (challenge !== undefined && challenged !== undefined)
      problems.push(...challengeProblems(challenge, challenged, { ...certificate, report, run }));
  }
  problems.push(...wrongTarget(report, run));
  const { baseUrl } = run.target;
  if (examineBaseUrl(baseUrl) !== baseUrl)
    problems.push(`evidence.har: ${baseUrl} is not a base URL as the harness writes it`);
  problems.push(...shortcomings(report).map((one) => `report.json: ${one}`));
  problems.push(...(await dateHeaderProblems(evidence.exchanges())));
  const other = otherVersion(run, verifier);
  if (other.length > 0) {
    unknowns.push(...other);
    return;
  }
  problems.push(...wrongUndertaking(report, run, verifier.catalogue));
  // Each of them would be generated.
  if (run.options.fuzzRuns > evidence.count) {
    problems.push(
      `evidence.har: ${run.options.fuzzRuns} random inputs at each place cannot be among its ${evidence.count} requests`,
    );
    return;
  }
  const verified = await verifyEvidence(report, evidence, verifier.catalogue);
  problems.push(...verified.problems);
  if (run.derivation === undefined) {
    remarks.push('merged from shards: only the signature vouches for its requests');
    return;
  }
  found.recomputed = verified.recomputed;
}

function readReport(text: string, { readReport: read, writeReport }: Verifier): Report {
  const report = read(text);
  if (writeReport(report) !== text) throw new Error('differs from what the harness writes');
  return report;
}

function wrongDates({ statement }: Certificate, now: Date): readonly string[] {
  const { issuedAt, expiresAt, run } = statement.predicate;
  const issued = Date.parse(issuedAt);
  const expires = Date.parse(expiresAt);
  const ended = Date.parse(run.startedAt) + run.durationMs;
  const days = (expires - issued) / day;
  const isOfSomeDays = Number.isInteger(days) && days >= 1 && days <= mostDays;
  const isOfEnd = issued >= ended - 1_000 && issued <= ended + issuedWithin;
  return [
    !isOfSomeDays && `is valid from ${issuedAt} to ${expiresAt}, which are not 1 to ${mostDays} days`,
    !isOfEnd && 'was not issued at the end of the run',
    !(issued <= now.getTime() + clockSkew) && `is issued in the future, ${issuedAt}`,
    !(expires > now.getTime()) && `expired at ${expiresAt}`,
  ]
    .filter((problem) => problem !== false)
    .map((problem) => `certificate.json: ${problem}`);
}

/** The statement must be the one that the harness derives from report and evidence; names the parts that differ. */
function wrongStatement(
  { payload, statement }: Certificate,
  challenge: Challenge | undefined,
  report: Report,
  run: EvidenceRun,
  digests: { readonly report: string; readonly evidence: string },
): readonly string[] {
  const { issuedAt, expiresAt, signer, challenge: envelope } = statement.predicate;
  const expected = statementOf({
    report,
    run,
    digests,
    issuedAt,
    expiresAt,
    ...defined({ signer, challenge: envelope && challenge && { ...challenge, envelope } }),
  });
  if (canonicalJson(expected) === payload) return [];
  const [stated, derived] = [statement, expected].map(({ subject, predicate }) => ({
    subject,
    ...predicate,
  }));
  const parts = partsThatDiffer(stated, derived).join(', ');
  const [listed, due] = [statement, expected].map(({ predicate }) =>
    Object.fromEntries(predicate.configuration.map((part) => [part.name, part])),
  );
  const configuration = partsThatDiffer(listed, due).join(', ');
  const named = parts === '' ? 'differs from what the harness writes' : `differs in ${parts}`;
  const which = configuration === '' ? '' : ` (${configuration})`;
  return [`certificate.json: the statement about this report and evidence ${named}${which}`];
}

function partsThatDiffer(a: object = {}, b: object = {}): readonly string[] {
  return pairs(a, b).flatMap(([name, one, other]) => (textOf(one) === textOf(other) ? [] : [name]));
}

function textOf(value: unknown): string {
  return value === undefined ? '' : canonicalJson(value);
}

/** Reasons why the target of a run may be another service than its base URL says. */
function wrongTarget(report: Report, run: EvidenceRun): readonly string[] {
  const { connection, embedded, peers } = report.target;
  const ofPeers = peerProblems({
    baseUrl: run.target.baseUrl,
    peers,
    isIndirect: connection?.proxy !== undefined || connection?.unixSocket !== undefined,
    startedAt: report.run.startedAt,
  });
  const obstacles = targetObstacles({
    baseUrl: run.target.baseUrl,
    embedded,
    insecure: run.options.insecure || report.run.options['insecure'] === true,
    unixSocket: connection?.unixSocket ?? (report.run.options['unixSocket'] as string | undefined),
    proxy: connection?.proxy?.host,
    allowProxy: report.run.options['allowProxy'],
    development: isDevelopment(report),
  });
  return [...obstacles, ...ofPeers].map(
    (obstacle) => `report.json: this run does not qualify for a certificate: ${obstacle}`,
  );
}

/** Limits that are divided among shards. */
const divided = ['maxRequests', 'rate', 'concurrency'];

function wrongUndertaking(report: Report, run: EvidenceRun, catalogue: Catalogue): readonly string[] {
  const { seed, ...stated } = report.run.options as RunFlags;
  const { contract } = catalogue;
  const problems = obstacles({ ...run, shards: run.shards?.length, contract, given: stated }).map(
    (obstacle) => `report.json: this run does not qualify for a certificate: ${obstacle}`,
  );
  if (!run.options.certify) problems.push('report.json: the run was not made with --certify');
  for (const [name, value] of Object.entries(report.run.options))
    if (!mayBeStated(name, value)) problems.push(`report.json: the option ${name} cannot have this value`);
  const { options, sufficient } = settledOptions(
    // A challenge determines the seed where no flag does.
    { ...stated, seed: seed ?? run.options.seed },
    {
      catalogue,
      baseUrl: run.target.baseUrl,
      proxy: report.target.connection?.proxy,
      hasDocument: run.document !== undefined,
    },
  );
  // The shards of a merged run had a limit each.
  if (run.shards === undefined && options.maxRequests < sufficient)
    problems.push(`report.json: ${options.maxRequests} requests may be too few, ${sufficient} suffice`);
  for (const [name, value, recorded] of pairs(recordedOptions(options), run.options)) {
    if (run.shards !== undefined && divided.includes(name)) continue;
    if (textOf(value) !== textOf(recorded))
      problems.push(`report.json: the option ${name} differs from the evidence`);
  }
  return problems;
}

/** Why this program cannot repeat the evaluation of another version or against another contract. */
function otherVersion(run: EvidenceRun, { catalogue, harness }: Verifier): readonly string[] {
  const [theirs, ours] = [run.harness, harness].map(({ name, version }) => `${name} ${version}`);
  const { digest } = catalogue.contract;
  return [
    theirs !== ours && `it was evaluated by ${theirs}, this is ${ours}: verify with that version`,
    run.contract !== digest && `it was evaluated against the contract ${run.contract}, this is ${digest}`,
    run.contract === digest &&
      run.catalogue !== catalogueDigest(catalogue) &&
      'it was evaluated with other checks or requirements than this version has',
  ].filter((reason) => reason !== false);
}
