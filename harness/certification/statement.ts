import { hash } from 'node:crypto';
import { defined } from '../defined.ts';
import type { EvidenceRun, TargetSummary } from '../evidence/evidence-format.ts';
import { certificateFormat } from '../format-version.ts';
import { groupBy } from '../group-by.ts';
import type { Instant, Ordinal, Sha256, Text } from '../model/formats.ts';
import type { Outcome, Peers, Report, TargetConnection } from '../model/report.ts';
import type { Exclusion } from '../model/target.ts';
import { notPlanned } from '../results/case-result.ts';
import type { Envelope, NamedKey } from './envelope.ts';

/** A resource descriptor of in-toto. */
interface Descriptor {
  readonly name: Text;
  readonly uri?: string;
  readonly digest?: { readonly sha256: Sha256 };
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/** The in-toto statement in the payload of a certificate; in-toto allows for members beyond its predicate's. */
export interface Statement {
  readonly _type: 'https://in-toto.io/Statement/v1';
  /** The target: its base URL, and the digest of its description. */
  readonly subject: readonly [{ readonly name: Text; readonly digest: { readonly sha256: Sha256 } }];
  readonly predicateType: 'https://in-toto.io/attestation/test-result/v0.1';
  readonly predicate: {
    /** Version of certificates; version 1 did not state it. */
    readonly formatVersion: typeof certificateFormat;
    /** A certificate is only written for a pass. */
    readonly result: 'PASSED';
    /** The inputs and outputs of the run, by digest. */
    readonly configuration: readonly Descriptor[];
    /** Base URL of the target. */
    readonly url: Text;
    /** Cases, as `operationId/area/slug`. */
    readonly passedTests: readonly Text[];
    /** Cases in which a should is violated. */
    readonly warnedTests: readonly Text[];
    /** None. @maxItems 0 */
    readonly failedTests: readonly string[];
    /** Cases without an outcome: a violated should may hide there. */
    readonly untestedTests: readonly string[];
    /** Why musts did not apply to cases, beyond what the contract says of their operations. */
    readonly notApplicable: readonly Unapplied[];
    /** The responses of the run by status, and those of something in front of the service. */
    readonly traffic: Pick<Report['traffic'], 'requests' | 'byStatus' | 'blocked'>;
    readonly run: Pick<Report['run'], 'startedAt' | 'durationMs' | 'seed'> & { readonly id: Text };
    /** The vendor, from the challenge; absent without one. */
    readonly vendor?: Text;
    /** The product, from the challenge; absent without one. */
    readonly product?: Text;
    /** Present where the service may be on loopback, so that the certificate is a rehearsal. */
    readonly development?: true;
    /** How the target was reached; absent for a plain connection. */
    readonly connection?: TargetConnection;
    /** Whom the connections reached. */
    readonly peers?: Peers;
    /** Additions to requests by the target file and the OpenAPI document. */
    readonly sent: Sent;
    /** Values that were not sent. */
    readonly exclusions: readonly Exclusion[];
    /** Ids of requirements beyond the contract. */
    readonly customChecks: readonly string[];
    /** Violated requirements of the level should. */
    readonly warnings: readonly Warning[];
    /** The owner's challenge, whole. */
    readonly challenge?: Envelope;
    readonly issuedAt: Instant;
    readonly expiresAt: Instant;
    /** The key that signs; absent in an unsigned certificate. */
    readonly signer?: NamedKey;
  };
}

/** Additions to requests by the target file: the form of the Authorization header, names of headers, and queries by operation. */
export interface Sent extends Pick<TargetSummary, 'authorization' | 'headers' | 'query'> {
  /** Queries that the supplied OpenAPI document requires, by operation. */
  readonly documentQuery?: TargetSummary['query'];
}

/** A violated requirement of the level should. */
export interface Warning {
  /** `operationId/area/slug`. */
  readonly test: string;
  readonly requirement: string;
  readonly message: string;
}

/** A reason for which a number of cases at the level must did not apply. */
export interface Unapplied {
  readonly reason: string;
  readonly tests: Ordinal;
}

/** The part of the configuration that is the supplied document. */
export const documentName = "the platform's OpenAPI document";

/** The inputs of a certificate. */
export interface CertifiedRun {
  readonly report: Report;
  readonly run: EvidenceRun;
  /** SHA-256 of the files. */
  readonly digests: { readonly report: string; readonly evidence: string };
  readonly issuedAt: string;
  readonly expiresAt: string;
  readonly signer?: NamedKey;
  /** The challenge that the run answers, with its names. */
  readonly challenge?: { readonly envelope: Envelope; readonly vendor: string; readonly product: string };
}

/** The statement about a run, a function of its report and evidence but for its dates and its signer. */
export function statementOf(certified: CertifiedRun): Statement {
  const { report, run, digests, issuedAt, expiresAt, signer, challenge } = certified;
  const { startedAt, durationMs, seed } = report.run;
  const { connection, peers } = report.target;
  const { requests, byStatus, blocked } = report.traffic;
  const { authorization, headers, query } = run.target;
  const target = { sha256: hash('sha256', JSON.stringify(run.target)) };
  const those = (outcome: Outcome): readonly string[] =>
    report.results.filter((one) => one.outcome === outcome).map((one) => `${one.operation}/${one.check}`);
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: run.target.baseUrl, digest: target }],
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      formatVersion: certificateFormat,
      result: 'PASSED',
      configuration: [
        { name: 'harness', uri: `pkg:npm/${run.harness.name}@${run.harness.version}` },
        { name: 'contract', digest: { sha256: run.contract.replace('sha256:', '') } },
        { name: 'checks', digest: { sha256: run.catalogue } },
        { name: 'target description', digest: target },
        ...[run.document ?? []].flat().map(({ digest, source }) => ({
          name: documentName,
          digest: { sha256: digest.replace('sha256:', '') },
          annotations: { source },
        })),
        {
          name: 'options',
          digest: { sha256: hash('sha256', JSON.stringify(run.options)) },
          annotations: { seed: run.options.seed, options: report.run.options },
        },
        { name: 'report.json', digest: { sha256: digests.report } },
        { name: 'evidence.har', digest: { sha256: digests.evidence } },
      ],
      url: run.target.baseUrl,
      passedTests: those('pass'),
      warnedTests: those('warn'),
      failedTests: those('fail'),
      untestedTests: those('inconclusive'),
      notApplicable: notApplicableIn(report),
      traffic: { requests, byStatus, ...defined({ blocked }) },
      run: { id: run.id, startedAt, durationMs, seed },
      ...(isDevelopment(report) ? { development: true as const } : {}),
      ...defined({ vendor: challenge?.vendor, product: challenge?.product, connection, peers }),
      sent: { authorization, headers, ...defined({ query, documentQuery: documentQueryOf(report) }) },
      exclusions: run.target.exclusions,
      customChecks: (report.additional?.requirements ?? []).map(({ id }) => id),
      warnings: report.results
        .filter(({ outcome }) => outcome === 'warn')
        .map(({ operation, check, requirement, message, findings: [finding] }) => ({
          test: `${operation}/${check}`,
          requirement,
          message: finding === undefined ? message : `${finding.headline}: ${message}`,
        })),
      issuedAt,
      expiresAt,
      ...defined({ challenge: challenge?.envelope, signer }),
    },
  };
}

/** The queries that the preflight found, by operation; undefined if there are none. */
function documentQueryOf({ target }: Report): Sent['documentQuery'] {
  const end = '.query';
  const found = target.discovered.filter(({ name }) => name.endsWith(end));
  const queries = found.map(({ name, value }) => [
    name.slice(0, -end.length),
    Object.fromEntries(new URLSearchParams(value)),
  ]);
  return queries.length === 0 ? undefined : Object.fromEntries(queries);
}

/** The reasons for which musts did not apply, each with the number of its cases; the contract alone gives one of them. */
function notApplicableIn({ results }: Report): readonly Unapplied[] {
  const cases = results.filter(
    ({ level, outcome, message }) =>
      level === 'must' && outcome === 'not-applicable' && message !== notPlanned,
  );
  const reasons = [...groupBy(cases, ({ message }) => message)];
  return reasons.map(([reason, { length: tests }]) => ({ reason, tests }));
}

/** Digest of a part of the configuration; undefined if the statement has no part of this name. */
export function configured(statement: Statement, name: string): string | undefined {
  return statement.predicate.configuration.find((part) => part.name === name)?.digest?.sha256;
}

/** Whether a run was made for a development certificate. */
export function isDevelopment({ run }: Pick<Report, 'run'>): boolean {
  return run.options['development'] === true;
}
