import { hash } from 'node:crypto';
import { stringify } from 'yaml';
import type { CertificateEnvelope, Envelope } from '../../harness/certification/envelope.ts';
import {
  below,
  mutateEnvelope,
  mutateEvidence,
  mutateJson,
  mutateText,
  mutateValue,
  mutateYaml,
  pick,
  type Random,
  resigned,
} from './mutate-for-tests.ts';
import type { CertifiedFolder, Originals, ReportFolder } from './originals-for-tests.ts';

/** Files by their paths, one of them mutated, and the command that reads them. */
export interface Input {
  readonly files: Readonly<Record<string, string | Buffer>>;
  readonly args: readonly string[];
}

/** A kind of input file. */
export interface Subject {
  readonly name: string;
  /** Its share, in relation to the others. */
  readonly weight: number;
  readonly mutate: (originals: Originals, random: Random) => Input;
}

/** An address where nothing listens. */
const sink = 'http://127.0.0.1:9';
const merge = ['merge', '1', '2', '--report-dir', 'out', '--format', 'junit'];
const revocations = stringify([{ certificate: '0'.repeat(64), date: '2026-01-31', reason: 'withdrawn' }]);

/** Every kind of input file but those with certificates. */
export const subjects: readonly Subject[] = [
  {
    name: 'target',
    weight: 20,
    mutate: ({ target }, random) => ({
      files: { 'in.yaml': mutateYaml(target, random) },
      args: ['plan', '--target', 'in.yaml'],
    }),
  },
  {
    name: 'document',
    weight: 5,
    mutate: ({ document }, random) => ({
      files: { 'in.json': mutateJson(document, random) },
      args: ['plan', '--base-url', sink, '--spec', 'in.json'],
    }),
  },
  {
    name: 'baseline',
    weight: 12,
    mutate: ({ baseline, shards }, random) => ({
      files: { 'in.yaml': mutateYaml(baseline, random), ...shardFiles(...shards) },
      args: ['merge', '1', '2', '--baseline', 'in.yaml', '--report-dir', 'out'],
    }),
  },
  {
    name: 'report',
    weight: 24,
    mutate: ({ report }, random) => ({
      files: { 'in.json': mutateJson(report, random), 'other.json': report },
      args: pick(random, [
        ['render', 'in.json', '--format', 'html,junit,markdown,badge,allure,json', '--out', 'out'],
        ['diff', 'in.json', 'other.json'],
        ['diff', 'other.json', 'in.json', '--format', 'markdown'],
        ['diff', 'other.json', 'in.json', '--format', 'json'],
        ['baseline', 'in.json', '--owner', 'a', '--reason', 'b', '--expires', '2099-01-01', '--warnings'],
      ]),
    }),
  },
  {
    name: 'replay',
    weight: 4,
    mutate: ({ report }, random) => {
      const id = /"findings": \[\s*\{\s*"id": "([^"]+)"/.exec(report)?.[1] ?? '0';
      return {
        files: { 'in.json': mutateJson(report, random) },
        args: ['replay', id, '--report', 'in.json', '--base-url', sink, '--timeout', '100'],
      };
    },
  },
  {
    name: 'shard-report',
    weight: 12,
    mutate: ({ shards: [first, second] }, random) => ({
      files: shardFiles({ ...first, report: mutateJson(first.report, random) }, second),
      args: merge,
    }),
  },
  {
    name: 'shard-evidence',
    weight: 20,
    mutate: ({ shards: [first, second] }, random) => {
      const evidence = mutateEvidence(first.evidence, random);
      const report = JSON.parse(first.report) as { readonly run: { readonly shard: { evidence: string } } };
      report.run.shard.evidence = sha256(evidence);
      return {
        files: shardFiles({ report: JSON.stringify(report, null, 2), evidence }, second),
        args: merge,
      };
    },
  },
  {
    name: 'challenge',
    weight: 8,
    mutate: ({ challenge, privateKey, ownerPrivateKey }, random) => ({
      files: { 'in.json': mutateEnvelope(challenge, ownerPrivateKey, random), 'key.pem': privateKey },
      // The base URL is that of no challenge, so that nothing is sent.
      args: [
        ...['run', '--base-url', sink, '--certify', '--development'],
        ...['--challenge', 'in.json', '--sign-key', 'key.pem'],
      ],
    }),
  },
  {
    name: 'key',
    weight: 4,
    mutate: ({ shards: [shard], publicKey, privateKey }, random) => ({
      files: {
        'certified/report.json': shard.report,
        'key.pem': mutateText(pick(random, [publicKey, privateKey]), random),
      },
      args: pick(random, [
        ['verify', 'certified', '--public-key', 'key.pem'],
        ['run', '--base-url', sink, '--certify', '--sign-key', 'key.pem'],
        ['plan', '--base-url', 'https://127.0.0.1:9', '--ca', 'key.pem'],
      ]),
    }),
  },
];

/** The kinds of input file of a certification programme. */
export const certificateSubjects: readonly Subject[] = [
  {
    name: 'certificate',
    weight: 16,
    mutate: (originals, random) => {
      const certificate = mutateCertificate(originals, random);
      return toVerify(originals, { ...countersigned(originals), certificate }, random);
    },
  },
  {
    name: 'evidence',
    weight: 12,
    mutate: (originals, random) => {
      const original = countersigned(originals);
      const evidence = mutateEvidence(original.evidence, random);
      const report = below(random, 3) === 0 ? mutateJson(original.report, random) : original.report;
      const digests = new Map([
        ['report.json', sha256(report)],
        ['evidence.har', sha256(evidence)],
      ]);
      const certificate = resigned(JSON.parse(original.certificate), originals.privateKey, (payload) => {
        const { predicate } = payload as {
          readonly predicate: { readonly configuration: ReadonlyArray<{ name: string; digest?: object }> };
        };
        for (const part of predicate.configuration) {
          const digest = digests.get(part.name);
          if (digest !== undefined) part.digest = { sha256: digest };
        }
        return payload;
      });
      const files = { report, evidence, certificate: JSON.stringify(certificate, null, 2) };
      return toVerify(originals, files, random);
    },
  },
  {
    name: 'spot-check',
    weight: 1,
    mutate: (originals, random) => ({
      files: {
        ...certifiedFiles(certified(originals).challenged),
        'in.json': mutateJson(certified(originals).spotCheck, random),
        'key.pem': originals.ownerPrivateKey,
        'public.pem': originals.publicKey,
      },
      args: [
        ...['countersign', 'certified', '--spot-check', 'in.json', '--development'],
        ...['--sign-key', 'key.pem', '--public-key', 'public.pem'],
      ],
    }),
  },
  {
    name: 'register',
    weight: 8,
    mutate: (originals, random) => ({
      files: {
        ...certifiedFiles(
          { ...countersigned(originals), certificate: mutateCertificate(originals, random) },
          'register/acme',
        ),
        'register/revocations.yaml': mutateYaml(revocations, random),
        'key.pem': originals.ownerPublicKey,
      },
      args: ['register', 'register', '--out', 'site', '--owner-key', 'key.pem', '--development'],
    }),
  },
];

function certified({ certified: made }: Originals): Required<Originals>['certified'] {
  if (made === undefined) throw new Error('the originals have no certificates');
  return made;
}

function countersigned(originals: Originals): CertifiedFolder {
  return certified(originals).countersigned;
}

function toVerify(
  { publicKey, ownerPublicKey }: Originals,
  files: Mutated<CertifiedFolder>,
  random: Random,
): Input {
  return {
    files: { ...certifiedFiles(files), 'key.pem': publicKey, 'owner.pem': ownerPublicKey },
    args: pick(random, [
      ['verify', 'certified', '--development'],
      ['verify', 'certified', '--development', '--json'],
      ['verify', 'certified', '--public-key', 'key.pem', '--owner-key', 'owner.pem', '--development'],
    ]),
  };
}

/** Mutates a certificate, its statement, or the spot check or the challenge in it. */
function mutateCertificate(originals: Originals, random: Random): string | Buffer {
  const { privateKey, ownerPrivateKey } = originals;
  const { certificate } = countersigned(originals);
  const mutated = (part: Envelope): Envelope =>
    resigned(part, ownerPrivateKey, (payload) => mutateValue(payload, random));
  const envelope = JSON.parse(certificate) as CertificateEnvelope;
  const { spotCheck } = envelope;
  switch (below(random, 4)) {
    case 0:
      return JSON.stringify({ ...envelope, ...(spotCheck && { spotCheck: mutated(spotCheck) }) });
    case 1:
      return JSON.stringify(
        resigned(envelope, privateKey, (payload) => {
          const statement = payload as { readonly predicate: { challenge: Envelope } };
          statement.predicate.challenge = mutated(statement.predicate.challenge);
          return statement;
        }),
      );
    default:
      return mutateEnvelope(certificate, privateKey, random);
  }
}

function sha256(content: string | Buffer): string {
  return hash('sha256', content);
}

/** Files, mutated or not. */
type Mutated<Folder> = { readonly [Name in keyof Folder]: string | Buffer };

function shardFiles(...shards: ReadonlyArray<Mutated<ReportFolder>>): Input['files'] {
  return Object.fromEntries(
    shards.flatMap(({ report, evidence }, at) => [
      [`${at + 1}/report.json`, report],
      [`${at + 1}/evidence.har`, evidence],
    ]),
  );
}

function certifiedFiles(files: Mutated<CertifiedFolder>, folder = 'certified'): Input['files'] {
  return {
    [`${folder}/report.json`]: files.report,
    [`${folder}/evidence.har`]: files.evidence,
    [`${folder}/certificate.json`]: files.certificate,
  };
}
