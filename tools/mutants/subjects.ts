import { createHash } from 'node:crypto';
import { parse, stringify } from 'yaml';
import { type Envelope, enclose, type PayloadType } from '../../harness/certification/envelope.ts';
import { readPrivateKey } from '../../harness/certification/signing-key.ts';
import { mutateEvidence } from './mutate-evidence.ts';
import { mutateText } from './mutate-text.ts';
import { mutateValue } from './mutate-value.ts';
import type { Originals, ReportFolder } from './originals.ts';
import { below, pick, type Random } from './random-choice.ts';
import type { Mutant, Subject } from './subject.ts';

const sink = 'http://127.0.0.1:9';

/** Every kind of input file, with the commands that read it. */
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
    weight: 12,
    mutate: ({ document }, random) => ({
      files: { 'in.json': mutateJson(document, random) },
      args: ['plan', '--base-url', sink, '--spec', 'in.json'],
    }),
  },
  {
    name: 'baseline',
    weight: 12,
    mutate: ({ baseline, shards }, random) => ({
      files: { 'in.yaml': mutateYaml(baseline, random), ...shardFiles(shards) },
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
    mutate: ({ report }, random) => ({
      files: { 'in.json': mutateJson(report, random) },
      args: ['replay', firstFinding(report), '--report', 'in.json', '--base-url', sink, '--timeout', '100'],
    }),
  },
  {
    name: 'shard-report',
    weight: 12,
    mutate: ({ shards }, random) => {
      const [first, second] = both(shards);
      return {
        files: shardFiles([{ ...first, report: mutateJson(first.report, random) }, second]),
        args: ['merge', '1', '2', '--report-dir', 'out', '--format', 'junit'],
      };
    },
  },
  {
    name: 'shard-evidence',
    weight: 20,
    mutate: ({ shards }, random) => {
      const [first, second] = both(shards);
      const evidence = mutateEvidence(first.evidence, random);
      const report = withDigest(first.report, evidence);
      return {
        files: shardFiles([{ report, evidence }, second]),
        args: ['merge', '1', '2', '--report-dir', 'out', '--format', 'junit,allure'],
      };
    },
  },
  {
    name: 'certificate',
    weight: 16,
    mutate: (originals, random) => ({
      files: {
        ...certifiedFiles({ ...originals.certified, certificate: mutateCertificate(originals, random) }),
        'key.pem': originals.publicKey,
        'owner.pem': originals.ownerPublicKey,
      },
      args: verifying(random),
    }),
  },
  {
    name: 'evidence',
    weight: 12,
    mutate: (originals, random) => {
      const { certified, publicKey, privateKey, ownerPublicKey } = originals;
      const evidence = mutateEvidence(certified.evidence, random);
      const report = below(random, 3) === 0 ? mutateJson(certified.report, random) : certified.report;
      const digests = { 'report.json': report, 'evidence.har': evidence };
      const certificate = withDigests(certified.certificate, digests, privateKey);
      return {
        files: {
          ...certifiedFiles({ report, evidence, certificate }),
          'key.pem': publicKey,
          'owner.pem': ownerPublicKey,
        },
        args: verifying(random),
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
    name: 'spot-check',
    weight: 1,
    mutate: ({ challenged, spotCheck, ownerPrivateKey, publicKey }, random) => ({
      files: {
        ...certifiedFiles(challenged),
        'in.json': mutateJson(spotCheck, random),
        'key.pem': ownerPrivateKey,
        'public.pem': publicKey,
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
          { ...originals.certified, certificate: mutateCertificate(originals, random) },
          'register/acme',
        ),
        'register/revocations.yaml': mutateYaml(originals.revocations, random),
        'key.pem': originals.ownerPublicKey,
      },
      args: ['register', 'register', '--out', 'site', '--owner-key', 'key.pem', '--development'],
    }),
  },
  {
    name: 'key',
    weight: 4,
    mutate: ({ certified, publicKey, privateKey }, random) => ({
      files: {
        ...certifiedFiles(certified),
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

function verifying(random: Random): Mutant['args'] {
  return pick(random, [
    ['verify', 'certified', '--development'],
    ['verify', 'certified', '--development', '--json'],
    ['verify', 'certified', '--public-key', 'key.pem', '--owner-key', 'owner.pem', '--development'],
  ]);
}

function mutateJson(text: string, random: Random): string | Buffer {
  if (below(random, 5) === 0) return mutateText(text, random);
  return `${JSON.stringify(mutateValue(JSON.parse(text), random), null, 2)}\n`;
}

function mutateYaml(text: string, random: Random): string | Buffer {
  if (below(random, 3) === 0) return mutateText(text, random);
  const value = mutateValue(parse(text), random);
  return below(random, 2) === 0 ? JSON.stringify(value) : stringify(value, { aliasDuplicateObjects: false });
}

/** Mutates an envelope, or its payload under a new signature. */
function mutateEnvelope(text: string, privateKey: string, random: Random): string | Buffer {
  if (below(random, 3) === 0) return mutateJson(text, random);
  return JSON.stringify(mutatePayload(JSON.parse(text) as Envelope, privateKey, random), null, 2);
}

/** Mutates a certificate, its statement, or the spot check or the challenge in it. */
function mutateCertificate(
  { certified, privateKey, ownerPrivateKey }: Originals,
  random: Random,
): string | Buffer {
  const envelope = JSON.parse(certified.certificate) as Envelope;
  switch (below(random, 4)) {
    case 0: {
      const { spotCheck } = envelope;
      if (spotCheck === undefined) throw new Error('the original certificate has no spot check');
      return JSON.stringify({ ...envelope, spotCheck: mutatePayload(spotCheck, ownerPrivateKey, random) });
    }
    case 1: {
      const statement = payloadOf(envelope) as { readonly predicate: { challenge: Envelope } };
      const { predicate } = statement;
      predicate.challenge = mutatePayload(predicate.challenge, ownerPrivateKey, random);
      return JSON.stringify(sign(statement, envelope.payloadType, privateKey), null, 2);
    }
    default:
      return mutateEnvelope(certified.certificate, privateKey, random);
  }
}

function mutatePayload(envelope: Envelope, privateKey: string, random: Random): Envelope {
  return {
    ...envelope,
    ...sign(mutateValue(payloadOf(envelope), random), envelope.payloadType, privateKey),
  };
}

function payloadOf(envelope: Envelope): unknown {
  return JSON.parse(Buffer.from(envelope.payload, 'base64').toString());
}

function sign(payload: unknown, type: PayloadType, privateKey: string): Envelope {
  return enclose(JSON.stringify(payload) ?? 'null', readPrivateKey(privateKey, 'mutants'), type);
}

/** The certificate with the digests of other files, signed anew. */
function withDigests(
  text: string,
  files: Readonly<Record<string, string | Buffer>>,
  privateKey: string,
): string {
  const envelope = JSON.parse(text) as Envelope;
  const statement = payloadOf(envelope) as {
    readonly predicate: { readonly configuration: ReadonlyArray<{ name: string; digest?: object }> };
  };
  for (const part of statement.predicate.configuration) {
    const file = files[part.name];
    if (file !== undefined) part.digest = { sha256: sha256(file) };
  }
  return JSON.stringify(sign(statement, envelope.payloadType, privateKey), null, 2);
}

function withDigest(report: string, evidence: string | Buffer): string {
  const value = JSON.parse(report) as { readonly run: { readonly shard: { evidence: string } } };
  value.run.shard.evidence = sha256(evidence);
  return JSON.stringify(value, null, 2);
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function firstFinding(report: string): string {
  const { results } = JSON.parse(report) as {
    readonly results: ReadonlyArray<{ readonly findings: ReadonlyArray<{ readonly id: string }> }>;
  };
  return results.flatMap(({ findings }) => findings)[0]?.id ?? '0';
}

function both(shards: Originals['shards']): readonly [ReportFolder, ReportFolder] {
  const [first, second] = shards;
  if (first === undefined || second === undefined) throw new Error('the originals have no two shards');
  return [first, second];
}

type Folder = { readonly [Name in keyof ReportFolder]: string | Buffer };

function shardFiles(shards: readonly Folder[]): Mutant['files'] {
  return Object.fromEntries(
    shards.flatMap(({ report, evidence }, at) => [
      [`${at + 1}/report.json`, report],
      [`${at + 1}/evidence.har`, evidence],
    ]),
  );
}

function certifiedFiles(
  { report, evidence, certificate }: Folder & { readonly certificate: string | Buffer },
  folder = 'certified',
): Mutant['files'] {
  return {
    [`${folder}/report.json`]: report,
    [`${folder}/evidence.har`]: evidence,
    [`${folder}/certificate.json`]: certificate,
  };
}
