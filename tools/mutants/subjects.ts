import { createHash } from 'node:crypto';
import { mutateEvidence } from './mutate-evidence.ts';
import { mutateEnvelope, mutateJson, mutateYaml } from './mutate-file.ts';
import { mutateText } from './mutate-text.ts';
import type { Originals, ReportFolder } from './originals.ts';
import { pick } from './random-choice.ts';
import type { Mutant, Subject } from './subject.ts';

/** An address where nothing listens. */
const sink = 'http://127.0.0.1:9';

/** Every kind of input file but those of certificates, with the commands that read it. */
export const subjects: ReadonlyArray<Subject<Originals>> = [
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
      const [first, second] = shards;
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
      const [first, second] = shards;
      const evidence = mutateEvidence(first.evidence, random);
      const report = withDigest(first.report, evidence);
      return {
        files: shardFiles([{ report, evidence }, second]),
        args: ['merge', '1', '2', '--report-dir', 'out', '--format', 'junit,allure'],
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

function withDigest(report: string, evidence: string | Buffer): string {
  const value = JSON.parse(report) as { readonly run: { readonly shard: { evidence: string } } };
  value.run.shard.evidence = createHash('sha256').update(evidence).digest('hex');
  return JSON.stringify(value, null, 2);
}

function firstFinding(report: string): string {
  const { results } = JSON.parse(report) as {
    readonly results: ReadonlyArray<{ readonly findings: ReadonlyArray<{ readonly id: string }> }>;
  };
  return results.flatMap(({ findings }) => findings)[0]?.id ?? '0';
}

/** The files of a report folder, mutated or not. */
type Folder = { readonly [Name in keyof ReportFolder]: string | Buffer };

function shardFiles(shards: readonly Folder[]): Mutant['files'] {
  return Object.fromEntries(
    shards.flatMap(({ report, evidence }, at) => [
      [`${at + 1}/report.json`, report],
      [`${at + 1}/evidence.har`, evidence],
    ]),
  );
}
