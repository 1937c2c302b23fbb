import { commandOptions } from '../../spec/command-options.ts';
import type { Peers, TargetConnection } from '../model/report.ts';
import type { Challenge } from './challenge.ts';
import type { SpotCheckResult } from './spot-check.ts';
import { documentName, type Statement } from './statement.ts';

type Predicate = Statement['predicate'];

/** What a certificate claims in the same words as its statement. */
type Stated = 'issuedAt' | 'expiresAt' | 'sent' | 'exclusions' | 'customChecks' | 'warnings';

/** Everything that a certificate claims. */
export interface Claims extends Pick<Predicate, Stated | 'notApplicable' | 'traffic'> {
  readonly baseUrl: string;
  /** Digest of the target description. */
  readonly subject: string;
  readonly vendor: string | null;
  readonly product: string | null;
  /** A rehearsal with a service that may be on loopback. */
  readonly development: boolean;
  readonly connection: TargetConnection | null;
  /** Addresses and server certificates that the run saw. */
  readonly peers: Peers | null;
  readonly startedAt: string;
  readonly endedAt: string;
  /** Window of the challenge. */
  readonly window: Pick<Challenge, 'notBefore' | 'notAfter'> | null;
  readonly harness: string;
  readonly contract: string;
  readonly checks: string;
  readonly runId: string;
  readonly seed: number;
  readonly options: Readonly<Record<string, unknown>>;
  /** The OpenAPI document that responses are held to, by its file or URL; several where shards were given different ones. */
  readonly documents: ReadonlyArray<{ readonly sha256: string; readonly source: string }>;
  readonly passedTests: number;
  readonly untestedTests: number;
  /** Id of the key that signed. */
  readonly signer: string | null;
  /** Id of the owner's key in the challenge. */
  readonly owner: string | null;
  readonly spotCheck: SpotCheckResult | null;
}

/** The claims of a statement, with those of its challenge and spot check. */
export function claimsOf(
  { subject, predicate }: Statement,
  challenge: Challenge | undefined,
  spotCheck: SpotCheckResult | undefined,
): Claims {
  const { url, run, configuration, passedTests, untestedTests, signer } = predicate;
  const { connection = null, peers = null, vendor = null, product = null } = predicate;
  const { issuedAt, expiresAt, sent, exclusions, customChecks, warnings, notApplicable, traffic } = predicate;
  const part = (wanted: string): (typeof configuration)[number] | undefined =>
    configuration.find(({ name }) => name === wanted);
  const documents = configuration.filter(({ name }) => name === documentName);
  return {
    baseUrl: url,
    subject: subject[0].digest.sha256,
    ...{ vendor, product, development: predicate.development === true, connection, peers },
    startedAt: run.startedAt,
    endedAt: new Date((Date.parse(run.startedAt) || 0) + run.durationMs).toISOString(),
    ...{ issuedAt, expiresAt },
    window: challenge === undefined ? null : { notBefore: challenge.notBefore, notAfter: challenge.notAfter },
    harness: part('harness')?.uri ?? '',
    contract: part('contract')?.digest?.sha256 ?? '',
    checks: part('checks')?.digest?.sha256 ?? '',
    runId: run.id,
    seed: run.seed,
    options: { ...(part('options')?.annotations?.['options'] as object | undefined) },
    documents: documents.map(({ digest, annotations }) => ({
      sha256: digest?.sha256 ?? '',
      source: String(annotations?.['source'] ?? ''),
    })),
    ...{ sent, exclusions, customChecks, warnings },
    passedTests: passedTests.length,
    untestedTests: untestedTests.length,
    ...{ notApplicable, traffic },
    signer: signer?.keyid ?? null,
    owner: challenge?.owner.keyid ?? null,
    spotCheck: spotCheck ?? null,
  };
}

/** Levels of trust, the lowest first. */
const levels = commandOptions.verify.require.choices;

/** How far a certificate can be trusted. */
export type LevelOfTrust = (typeof commandOptions.verify.require.choices)[number];

/** Whether a level is at least another. */
export function reaches(level: LevelOfTrust, required: LevelOfTrust): boolean {
  return levels.indexOf(level) >= levels.indexOf(required);
}
