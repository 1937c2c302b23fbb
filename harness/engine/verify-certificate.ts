import type { KeyObject } from 'node:crypto';
import { mostDays, obstacles, shortcomings } from '../certification/certifiable.ts';
import { isSignedBy } from '../certification/envelope.ts';
import { type ReadCertificate, readCertificate } from '../certification/read-certificate.ts';
import { keyIdOf } from '../certification/signing-key.ts';
import { configured, statementOf } from '../certification/statement.ts';
import type { Catalogue } from '../checks/catalogue.ts';
import { catalogueDigest } from '../checks/catalogue-digest.ts';
import type { EvidenceLog } from '../evidence/evidence-format.ts';
import { readEvidence } from '../evidence/read-evidence.ts';
import { sha256 } from '../evidence/target-summary.ts';
import type { Report } from '../model/report.ts';
import { differences } from './compare-report.ts';
import { inconsistencies } from './evidence-inconsistencies.ts';
import { reevaluate } from './reevaluate.ts';

/** The files of a report folder as they are; undefined where there is none. */
export interface CertifiedFiles {
  readonly certificate: string | undefined;
  readonly report: string | undefined;
  readonly evidence: string | undefined;
}

/** What the verifier brings along. */
export interface Verifier {
  readonly catalogue: Catalogue;
  readonly harness: { readonly name: string; readonly version: string };
  readonly readReport: (text: string) => Report;
  readonly writeReport: (report: Report) => string;
  readonly now: Date;
  /** The key that must have signed. */
  readonly publicKey?: KeyObject;
}

/** What came of a verification: it holds where both lists are empty. */
export interface Verification {
  /** What does not hold, in a sentence each. */
  readonly problems: readonly string[];
  /** Why it cannot be told whether it holds. */
  readonly unknowns: readonly string[];
  /** What a reader ought to know all the same, such as who signed. */
  readonly remarks: readonly string[];
}

/** Milliseconds that may pass between the end of a run and its certificate. */
const issuedWithin = 3_600_000;
const day = 86_400_000;

/** Verifies a certificate with its report and evidence: believes nothing that can be computed anew. Never throws. */
export function verifyCertificate(files: CertifiedFiles, verifier: Verifier): Verification {
  const problems: string[] = [];
  const unknowns: string[] = [];
  const remarks: string[] = [];
  try {
    verify(files, verifier, problems, unknowns, remarks);
  } catch (error) {
    problems.push(`the files cannot be evaluated again: ${(error as Error).message}`);
  }
  return { problems, unknowns, remarks };
}

function verify(
  files: CertifiedFiles,
  verifier: Verifier,
  problems: string[],
  unknowns: string[],
  remarks: string[],
): void {
  const certificate = files.certificate === undefined ? undefined : readCertificate(files.certificate);
  const report = files.report === undefined ? undefined : readReport(files.report, verifier);
  const evidence = files.evidence === undefined ? undefined : readEvidence(files.evidence);
  for (const [name, read] of [
    ['certificate.json', certificate],
    ['report.json', report],
    ['evidence.har', evidence],
  ] as const) {
    if (read === undefined) problems.push(`${name}: there is none`);
    else if (!read.ok) problems.push(...read.problems.map((problem) => `${name}: ${problem}`));
  }
  if (certificate?.ok) {
    problems.push(...wrongSignature(certificate, verifier, remarks));
    problems.push(...wrongDates(certificate, verifier.now));
    for (const [name, text] of [
      ['report.json', files.report],
      ['evidence.har', files.evidence],
    ] as const) {
      if (text !== undefined && sha256(text) !== configured(certificate.statement, name))
        problems.push(`${name}: is not the file that the certificate speaks of`);
    }
  }
  if (!report?.ok || !evidence?.ok) return;
  if (certificate?.ok) problems.push(...wrongStatement(certificate, files, report.report, evidence.log));
  problems.push(...wrongUndertaking(report.report, evidence.log));
  problems.push(...shortcomings(report.report).map((one) => `report.json: ${one}`));
  const other = otherVersion(evidence.log, verifier);
  if (other.length > 0) unknowns.push(...other);
  else problems.push(...wrongResults(report.report, evidence.log, verifier));
}

function readReport(
  text: string,
  { readReport: read, writeReport }: Verifier,
):
  | { readonly ok: true; readonly report: Report }
  | { readonly ok: false; readonly problems: readonly string[] } {
  try {
    const report = read(text);
    if (writeReport(report) !== text) return { ok: false, problems: ['is not as the harness writes it'] };
    return { ok: true, report };
  } catch (error) {
    return { ok: false, problems: [(error as Error).message] };
  }
}

type Certificate = Extract<ReadCertificate, { readonly ok: true }>;

function wrongSignature(
  { envelope, signer }: Certificate,
  { publicKey }: Verifier,
  remarks: string[],
): readonly string[] {
  const problems: string[] = [];
  if (signer !== undefined && !isSignedBy(envelope, signer))
    problems.push('certificate.json: the signature is not that of the key which it names');
  const named = signer === undefined ? undefined : keyIdOf(signer);
  for (const { keyid } of envelope.signatures) {
    if (keyid !== named)
      problems.push(`certificate.json: has a signature of ${keyid}, which it does not name`);
  }
  if (publicKey === undefined) {
    remarks.push(
      named === undefined
        ? 'unsigned: anybody could have made it'
        : `signed by a key that is not known, ${named}: give the file of the one you trust with --public-key`,
    );
  } else if (!isSignedBy(envelope, publicKey)) {
    problems.push(
      `certificate.json: ${named === undefined ? 'is unsigned' : `is signed by ${named}`}, not by ${keyIdOf(publicKey)}`,
    );
  } else remarks.push(`signed by ${keyIdOf(publicKey)}`);
  return problems;
}

function wrongDates({ statement }: Certificate, now: Date): readonly string[] {
  const { issuedAt, expiresAt, run } = statement.predicate;
  const issued = Date.parse(issuedAt);
  const expires = Date.parse(expiresAt);
  const ended = Date.parse(run.startedAt) + run.durationMs;
  const problems: string[] = [];
  const days = (expires - issued) / day;
  if (!Number.isInteger(days) || days < 1 || days > mostDays)
    problems.push(
      `certificate.json: is valid from ${issuedAt} to ${expiresAt}, which are not 1 to ${mostDays} days`,
    );
  if (!(issued >= ended - 1_000 && issued <= ended + issuedWithin))
    problems.push('certificate.json: was not issued at the end of the run');
  if (!(issued <= now.getTime() + 300_000))
    problems.push(`certificate.json: is issued in the future, ${issuedAt}`);
  if (!(expires > now.getTime())) problems.push(`certificate.json: expired at ${expiresAt}`);
  return problems;
}

/** The statement must be what the harness makes of report and evidence; its parts are named where it is not. */
function wrongStatement(
  { payload, statement }: Certificate,
  files: CertifiedFiles,
  report: Report,
  { run }: EvidenceLog,
): readonly string[] {
  const { issuedAt, expiresAt, signer } = statement.predicate;
  const expected = statementOf({
    report,
    run,
    digests: { report: sha256(files.report ?? ''), evidence: sha256(files.evidence ?? '') },
    issuedAt,
    expiresAt,
    ...(signer === undefined ? {} : { signer }),
  });
  if (JSON.stringify(expected) === payload) return [];
  const parts = [
    ...partsThatDiffer({ subject: statement.subject }, { subject: expected.subject }),
    ...partsThatDiffer(statement.predicate, expected.predicate),
  ];
  const configuration = expected.predicate.configuration
    .filter(
      (part) =>
        JSON.stringify(part) !==
        JSON.stringify(statement.predicate.configuration.find(({ name }) => name === part.name)),
    )
    .map(({ name }) => name);
  const named = parts.length === 0 ? 'is not as the harness writes it' : `differs in ${parts.join(', ')}`;
  const which = configuration.length === 0 ? '' : ` (${configuration.join(', ')})`;
  return [`certificate.json: the statement about this report and evidence ${named}${which}`];
}

function partsThatDiffer(a: object, b: object): readonly string[] {
  const ofA = new Map(Object.entries(a));
  const ofB = new Map(Object.entries(b));
  return [...new Set([...ofA.keys(), ...ofB.keys()])].filter(
    (name) => JSON.stringify(ofA.get(name)) !== JSON.stringify(ofB.get(name)),
  );
}

function wrongUndertaking(report: Report, { run }: EvidenceLog): readonly string[] {
  const { options } = run;
  const left = obstacles({ options, exclusions: run.target.exclusions, given: report.run.options });
  const problems = left.map((obstacle) => `report.json: no certificate can rest on this run: ${obstacle}`);
  if (!options.certify) problems.push('report.json: the run was not made with --certify');
  const stated = report.run.options;
  for (const [name, value] of [
    ['seed', options.seed],
    ['strict', options.strict],
    ['certify', options.certify],
    ['fuzzRuns', options.fuzzRuns],
    ['maxRequests', options.maxRequests],
  ] as const) {
    if (stated[name] !== undefined && stated[name] !== value)
      problems.push(`report.json: the option ${name} is another than in the evidence`);
  }
  return problems;
}

/** Why this program cannot evaluate what another version, or one with another contract, has evaluated. */
function otherVersion({ run }: EvidenceLog, { catalogue, harness }: Verifier): readonly string[] {
  const reasons: string[] = [];
  if (run.harness.name !== harness.name || run.harness.version !== harness.version)
    reasons.push(
      `it was evaluated by ${run.harness.name} ${run.harness.version}, this is ${harness.name} ${harness.version}: verify with that version`,
    );
  if (run.contract !== catalogue.contract.digest)
    reasons.push(
      `it was evaluated against the contract ${run.contract}, this is ${catalogue.contract.digest}`,
    );
  else if (run.catalogue !== catalogueDigest(catalogue))
    reasons.push('it was evaluated with other checks or requirements than this version has');
  return reasons;
}

function wrongResults(report: Report, log: EvidenceLog, { catalogue }: Verifier): readonly string[] {
  const reevaluated = reevaluate(catalogue, log);
  return [
    ...inconsistencies(log, catalogue.contract, reevaluated.plan, report.run).map(
      (one) => `evidence.har: ${one}`,
    ),
    ...reevaluated.objections.map((one) => `evidence.har: ${one}`),
    ...differences(report, reevaluated, log, catalogue.contract).map((one) => `report.json: ${one}`),
  ];
}
