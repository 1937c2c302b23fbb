import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningService } from '../fixtures/reference-service/start-service.ts';
import { deriveRun } from '../harness/certification/challenge.ts';
import { canonicalJson, enclose, serialiseEnvelope } from '../harness/certification/envelope.ts';
import {
  generateSigningKey,
  namedKey,
  readPrivateKey,
  readPublicKey,
} from '../harness/certification/signing-key.ts';
import { type CertifiedRun, type Statement, statementOf } from '../harness/certification/statement.ts';
import { type Catalogue, loadCatalogue } from '../harness/checks/catalogue.ts';
import { Run } from '../harness/engine/run/run.ts';
import { runSchedule } from '../harness/engine/run/schedule.ts';
import { settledOptions } from '../harness/engine/run/stated-options.ts';
import { reevaluate } from '../harness/engine/verify/reevaluate.ts';
import {
  type CertifiedFiles,
  type Verification,
  type Verifier,
  verifyCertificate,
} from '../harness/engine/verify/verify-certificate.ts';
import {
  type EvidenceRun,
  headOf,
  lineOf,
  originOf,
  type RecordedAttempt,
  type TargetSummary,
  tailOf,
} from '../harness/evidence/evidence-format.ts';
import {
  bytesOf,
  type EvidenceLog,
  evidenceOf,
  parseEvidence,
} from '../harness/evidence/evidence-log-for-tests.ts';
import { harnessIdentity } from '../harness/identity.ts';
import type { Exchange } from '../harness/model/exchange.ts';
import type { CaseResult, Report } from '../harness/model/report.ts';
import { assembleReport } from '../harness/results/assemble-report.ts';
import type { Profile } from '../harness/sampling/profile.ts';
import { targetFromObject } from '../harness/target/target-description.ts';
import { parseReport, serialiseReport } from '../reporters/json/write-report.ts';
import { Contract } from '../spec/contract.ts';

/** A value whose members may be changed. */
export type Mutable<T> = T extends object ? { -readonly [Name in keyof T]: Mutable<T[Name]> } : T;

/** What a forger may change at will. */
export interface Draft {
  report: Mutable<Report>;
  log: {
    run: Mutable<Omit<EvidenceRun, 'target' | 'document'>> & { target: MutableTarget };
    exchanges: Array<Mutable<Exchange>>;
    attempts: Array<Mutable<RecordedAttempt>>;
  };
  issuedAt: string;
  expiresAt: string;
  challenge?: NonNullable<CertifiedRun['challenge']>;
}

type MutableTarget = Mutable<Omit<TargetSummary, 'bodies' | 'values'>> &
  Pick<TargetSummary, 'bodies' | 'values'>;

/** The files of a report folder as texts. */
export type CertifiedTexts = { readonly [Name in keyof CertifiedFiles]: string | undefined };

/** The keys of who runs the harness, in files too, and of who does not have these. */
export const owner: ReturnType<typeof generateSigningKey> = generateSigningKey();
export const forger: ReturnType<typeof generateSigningKey> = generateSigningKey();

const all: Promise<Catalogue> = loadCatalogue();

/** Operations of different kinds, which are evaluated in a fraction of the time. */
const some: ReadonlySet<string> = new Set([
  'getApiKeyIdentity',
  'getPublicProduct',
  'initiateHostedLogin',
  'listPublicProducts',
]);

/** The catalogue of the harness. */
export const everything: Promise<Catalogue> = all;

/** A catalogue of these operations alone. */
const few: Promise<Catalogue> = all.then((catalogue) => {
  const { operations, digest } = catalogue.contract;
  const contract = new Contract({ digest, operations: operations.filter(({ id }) => some.has(id)) });
  return { ...catalogue, contract };
});

/** A certified run against a service, as if the contract had these operations alone; the owner signs. */
export async function shortRun(
  service: Pick<RunningService, 'baseUrl' | 'target'>,
  challenge?: CertifiedRun['challenge'],
  profile: Profile = 'standard',
): Promise<CertifiedTexts> {
  const catalogue = await few;
  const { operations, digest } = catalogue.contract;
  const derived = challenge && deriveRun(challenge.envelope);
  const folder = await mkdtemp(join(tmpdir(), 'conformance-short-run-'));
  const started = Date.now();
  const run = await Run.open({
    target: targetFromObject(service.target, 'test', (await all).contract),
    options: settledOptions(
      { certify: true, profile, ...(derived && { seed: derived.seed }) },
      { catalogue, baseUrl: service.baseUrl, proxy: undefined, hasDocument: false },
    ).options,
    contract: { digest, operations },
    evidence: join(folder, 'evidence.har'),
    ...(derived && { runId: derived.id }),
  });
  await runSchedule(run);
  run.finishEvidence();
  await run.close();
  const log = parseEvidence(await readFile(join(folder, 'evidence.har'), 'utf8'));
  await rm(folder, { recursive: true });
  const ended = Date.now();
  const { discovered } = await run.preflight();
  const options = { certify: true, development: true };
  const draft = {
    log,
    report: {
      harness: harnessIdentity,
      target: { embedded: false, discovered, peers: run.context.client.peers },
      run: { startedAt: new Date(started).toISOString(), durationMs: ended - started, options },
    },
    issuedAt: new Date(ended).toISOString(),
    expiresAt: new Date(ended + 90 * 86_400_000).toISOString(),
    ...(challenge && { challenge }),
  } as unknown as Draft;
  draft.report = await derivedReport(draft);
  return forged(draft, owner.privatePem);
}

/** The files of a report folder. */
export async function filesIn(folder: string): Promise<CertifiedTexts> {
  const read = (name: string): Promise<string | undefined> =>
    readFile(join(folder, name), 'utf8').catch(() => undefined);
  const [certificate, report, evidence] = await Promise.all(
    ['certificate.json', 'report.json', 'evidence.har'].map(read),
  );
  return { certificate, report, evidence };
}

/** The private key of the owner in a file. */
export async function ownerKeyFile(folder: string): Promise<string> {
  const file = join(folder, 'owner.pem');
  await writeFile(file, owner.privatePem);
  return file;
}

/** What files hold, to be changed. */
export function draftOf({ report, evidence, certificate }: CertifiedTexts): Draft {
  const log = parseEvidence(evidence ?? '') as Draft['log'];
  const parsed = parseReport(report ?? '') as Mutable<Report>;
  const ended = Date.parse(parsed.run.startedAt) + parsed.run.durationMs + 100;
  const dates =
    certificate === undefined
      ? {
          issuedAt: new Date(ended).toISOString(),
          expiresAt: new Date(ended + 90 * 86_400_000).toISOString(),
        }
      : statementIn(certificate).predicate;
  const {
    challenge,
    vendor = '',
    product = '',
  } = certificate === undefined
    ? {}
    : (statementIn(certificate).predicate as Partial<Statement['predicate']>);
  return {
    report: parsed,
    log,
    issuedAt: dates.issuedAt,
    expiresAt: dates.expiresAt,
    ...(challenge === undefined ? {} : { challenge: { envelope: challenge, vendor, product } }),
  };
}

/** The first of a list that is wanted. */
export function found<T>(list: readonly T[], wanted: (one: T) => boolean): T {
  const one = list.find(wanted);
  if (one === undefined) throw new Error('the run has nothing of the kind that is to be tampered with');
  return one;
}

/** A time so many milliseconds after another. */
export function later(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString();
}

export function statementIn(certificate: string): Statement {
  const { payload } = JSON.parse(certificate) as { payload: string };
  return JSON.parse(Buffer.from(payload, 'base64').toString()) as Statement;
}

/** The text of evidence.har as the harness writes it. */
export function evidenceText({ run, exchanges, attempts }: EvidenceLog): string {
  const origin = originOf(run);
  const lines = exchanges.map((exchange, at) => lineOf(exchange, origin, at === 0));
  return headOf(run) + lines.join('') + tailOf(attempts);
}

/** The report that the harness would have written of a draft's evidence. */
export async function derivedReport(
  { report, log }: Draft,
  evaluatedBy: Promise<Catalogue> = few,
  others: readonly CaseResult[] = [],
): Promise<Mutable<Report>> {
  const catalogue = await evaluatedBy;
  const { results, coverage, traffic, shapes, moments } = await reevaluate(catalogue, evidenceOf(log));
  return assembleReport({
    harness: report.harness,
    contract: catalogue.contract,
    baseUrl: log.run.target.baseUrl,
    embedded: report.target.embedded,
    discovered: report.target.discovered,
    peers: report.target.peers,
    startedAt: report.run.startedAt,
    durationMs: report.run.durationMs,
    seed: log.run.options.seed,
    options: report.run.options,
    results: [...results, ...others],
    coverage,
    traffic,
    shapes,
    moments,
    excluded: log.run.target.exclusions,
    shortfall: { interrupted: false, filtered: false },
  }) as Mutable<Report>;
}

/** Report and evidence of a draft, as texts. */
export function written({ report, log }: Draft): { readonly report: string; readonly evidence: string } {
  return { report: unchecked(report), evidence: evidenceText(log) };
}

/** A forger does not run the checks of the harness before issuing. */
function unchecked(report: Report): string {
  try {
    return serialiseReport(report);
  } catch {
    return `${JSON.stringify(report, null, 2)}\n`;
  }
}

/** The files of a draft with a certificate that fits them, unsigned or signed with a key in PEM. */
export function forged(draft: Draft, privatePem?: string): CertifiedTexts {
  const texts = written(draft);
  const key = privatePem === undefined ? undefined : readPrivateKey(privatePem, 'test');
  const certified: CertifiedRun = {
    report: draft.report,
    run: draft.log.run,
    digests: { report: hash('sha256', texts.report), evidence: hash('sha256', texts.evidence) },
    issuedAt: draft.issuedAt,
    expiresAt: draft.expiresAt,
    ...(draft.challenge === undefined ? {} : { challenge: draft.challenge }),
    ...(key === undefined ? {} : { signer: namedKey(key) }),
  };
  return { ...texts, certificate: certificateText(statementOf(certified), privatePem) };
}

/** The text of certificate.json around a statement. */
export function certificateText(statement: Statement, privatePem?: string): string {
  const key = privatePem === undefined ? undefined : readPrivateKey(privatePem, 'test');
  return serialiseEnvelope(enclose(canonicalJson(statement), key));
}

/** What the verifier says; with the owner's public key, or without any. */
export async function verified(
  { evidence, ...files }: CertifiedTexts,
  options: {
    readonly withKey?: boolean;
    readonly now?: Date;
    readonly verifier?: Partial<Verifier>;
    readonly evaluatedBy?: Promise<Catalogue>;
  } = {},
): Promise<Verification> {
  const bytes = evidence === undefined ? undefined : bytesOf(evidence);
  return verifyCertificate(
    { ...files, evidence: bytes },
    {
      catalogue: await (options.evaluatedBy ?? few),
      harness: harnessIdentity,
      readReport: parseReport,
      writeReport: serialiseReport,
      now: options.now ?? new Date(),
      development: true,
      ...(options.withKey === true ? { publicKey: readPublicKey(owner.publicPem, 'test') } : {}),
      ...options.verifier,
    },
  );
}
