import type { KeyObject } from 'node:crypto';
import type { EvidenceRun } from '../evidence/evidence-format.ts';
import { digestOf } from '../evidence/target-summary.ts';
import type { Outcome, Report } from '../model/report.ts';
import { keyIdOf, publicDer } from './signing-key.ts';

/** What in-toto calls a resource descriptor. */
interface Descriptor {
  readonly name: string;
  readonly uri?: string;
  readonly digest?: { readonly sha256: string };
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/** The in-toto statement that a certificate makes; members beyond its predicate's are allowed for. */
export interface Statement {
  readonly _type: 'https://in-toto.io/Statement/v1';
  readonly subject: readonly [{ readonly name: string; readonly digest: { readonly sha256: string } }];
  readonly predicateType: 'https://in-toto.io/attestation/test-result/v0.1';
  readonly predicate: {
    /** A certificate is only written for what passed. */
    readonly result: 'PASSED';
    readonly configuration: readonly Descriptor[];
    readonly url: string;
    /** Cases, as `operationId/area/slug`. */
    readonly passedTests: readonly string[];
    readonly warnedTests: readonly string[];
    readonly failedTests: readonly string[];
    readonly run: {
      readonly id: string;
      readonly startedAt: string;
      readonly durationMs: number;
      readonly seed: number;
    };
    readonly issuedAt: string;
    readonly expiresAt: string;
    /** Who signs; absent in a certificate that nobody signs. */
    readonly signer?: { readonly keyid: string; readonly publicKey: string };
  };
}

/** What a certificate is made of. */
export interface CertifiedRun {
  readonly report: Report;
  readonly run: EvidenceRun;
  /** SHA-256 of the files. */
  readonly digests: { readonly report: string; readonly evidence: string };
  readonly issuedAt: string;
  readonly expiresAt: string;
  readonly signer?: { readonly keyid: string; readonly publicKey: string };
}

/** Who signs with a key, as a statement names it. */
export function signerOf(key: KeyObject): { readonly keyid: string; readonly publicKey: string } {
  return { keyid: keyIdOf(key), publicKey: publicDer(key).toString('base64') };
}

/** The statement about a run, a function of its report and evidence but for its dates and its signer. */
export function statementOf(certified: CertifiedRun): Statement {
  const { report, run, digests, issuedAt, expiresAt, signer } = certified;
  const target = { sha256: digestOf(run.target) };
  const those = (outcome: Outcome): readonly string[] =>
    report.results.filter((one) => one.outcome === outcome).map((one) => `${one.operation}/${one.check}`);
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: run.target.baseUrl, digest: target }],
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: 'PASSED',
      configuration: [
        { name: 'harness', uri: `pkg:npm/${run.harness.name}@${run.harness.version}` },
        { name: 'contract', digest: { sha256: run.contract.replace('sha256:', '') } },
        { name: 'checks', digest: { sha256: run.catalogue } },
        { name: 'target description', digest: target },
        ...(run.document === undefined
          ? []
          : [
              {
                name: "the platform's OpenAPI document",
                digest: { sha256: run.document.digest.replace('sha256:', '') },
              },
            ]),
        {
          name: 'options',
          digest: { sha256: digestOf(run.options) },
          annotations: { seed: run.options.seed, options: report.run.options },
        },
        { name: 'report.json', digest: { sha256: digests.report } },
        { name: 'evidence.har', digest: { sha256: digests.evidence } },
      ],
      url: run.target.baseUrl,
      passedTests: those('pass'),
      warnedTests: those('warn'),
      failedTests: those('fail'),
      run: {
        id: run.id,
        startedAt: report.run.startedAt,
        durationMs: report.run.durationMs,
        seed: report.run.seed,
      },
      issuedAt,
      expiresAt,
      ...(signer === undefined ? {} : { signer }),
    },
  };
}

/** Digest of a part of the configuration; undefined where the statement has none of this name. */
export function configured(statement: Statement, name: string): string | undefined {
  return statement.predicate.configuration.find((part) => part.name === name)?.digest?.sha256;
}
