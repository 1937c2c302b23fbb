import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import type { Envelope } from '../../harness/certification/envelope.ts';
import type { CertifiedFolder, CertifiedOriginals } from './certified-originals.ts';
import { mutateEvidence } from './mutate-evidence.ts';
import { mutateEnvelope, mutateJson, mutatePayload, mutateYaml, payloadOf, sign } from './mutate-file.ts';
import { below, pick, type Random } from './random-choice.ts';
import type { Mutant, Subject } from './subject.ts';

const revocations = stringify([{ certificate: '0'.repeat(64), date: '2026-01-31', reason: 'withdrawn' }]);

/** The kinds of input file of a certification programme, with the commands that read them. */
export const certificateSubjects: ReadonlyArray<Subject<CertifiedOriginals>> = [
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
        'register/revocations.yaml': mutateYaml(revocations, random),
        'key.pem': originals.ownerPublicKey,
      },
      args: ['register', 'register', '--out', 'site', '--owner-key', 'key.pem', '--development'],
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

/** Mutates a certificate, its statement, or the spot check or the challenge in it. */
function mutateCertificate(
  { certified, privateKey, ownerPrivateKey }: CertifiedOriginals,
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

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function certifiedFiles(
  { report, evidence, certificate }: { readonly [Name in keyof CertifiedFolder]: string | Buffer },
  folder = 'certified',
): Mutant['files'] {
  return {
    [`${folder}/report.json`]: report,
    [`${folder}/evidence.har`]: evidence,
    [`${folder}/certificate.json`]: certificate,
  };
}
