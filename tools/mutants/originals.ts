import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import { startFault } from '../../fixtures/faults/start-fault.ts';
import { renderOpenApiDocument } from '../../fixtures/reference-service/openapi-document.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import { headOf, lineOf, originOf, tailOf } from '../../harness/evidence/evidence-format.ts';
import { readEvidence } from '../../harness/evidence/read-evidence.ts';
import type { Report } from '../../harness/model/report.ts';
import { serialiseReport } from '../../reporters/json/write-report.ts';

/** The valid files that mutants are made of, as texts. */
export interface Originals {
  readonly target: string;
  readonly document: string;
  readonly baseline: string;
  readonly revocations: string;
  readonly challenge: string;
  readonly spotCheck: string;
  readonly ownerPublicKey: string;
  readonly ownerPrivateKey: string;
  /** The keys of the vendor. */
  readonly publicKey: string;
  readonly privateKey: string;
  /** A report with findings. */
  readonly report: string;
  readonly shards: readonly ReportFolder[];
  /** A valid certificate, and a countersigned one with a part of its report and evidence. */
  readonly challenged: CertifiedFolder;
  readonly certified: CertifiedFolder;
}

/** The files of a run. */
export interface ReportFolder {
  readonly report: string;
  readonly evidence: string;
}

/** A report folder with a certificate. */
export interface CertifiedFolder extends ReportFolder {
  readonly certificate: string;
}

/** Runs the command line in a folder, to its end. */
export type RunCli = (args: readonly string[], folder: string) => Promise<unknown>;

/** Few cases of different kinds, so that a mutant is read in moments. */
const few = ['--check', 'AUTH-2', 'SCOPE-1', 'ERROR-2', 'SUCCESS-1', '--operation', 'getApiKeyIdentity'];
const sessions = ['createHostedCheckoutSession', 'getHostedCheckoutSession'];

/** Makes valid files of every kind by runs against the reference service. */
export async function makeOriginals(folder: string, cli: RunCli): Promise<Originals> {
  const service = await startService();
  const fault = allFaults.find(({ name }) => name === 'create-answers-201');
  if (fault === undefined) throw new Error('there is no fault create-answers-201');
  const faulty = await startFault(fault);
  try {
    await mkdir(folder, { recursive: true });
    const document = JSON.stringify(renderOpenApiDocument(service.shape, service.baseUrl), null, 2);
    await writeFile(join(folder, 'target.yaml'), stringify(service.target));
    await writeFile(join(folder, 'faulty.yaml'), stringify(faulty.target));
    await cli(['keygen', '--out', 'key'], folder);
    await cli(['keygen', '--out', 'owner'], folder);
    const key = ['--sign-key', 'key/certificate-private.pem'];
    const owner = ['--sign-key', 'owner/certificate-private.pem'];
    const challenge = [
      '--vendor',
      'Acme',
      '--product',
      'Shop',
      '--base-url',
      service.baseUrl,
      '--development',
    ];
    await cli(['challenge', ...challenge, ...owner, '--out', 'challenge.json'], folder);
    await cli(
      ['run', '--target', 'faulty.yaml', ...few, ...sessions, '--no-evidence', '--report-dir', 'faulty'],
      folder,
    );
    for (const shard of ['1/2', '2/2'])
      await cli(
        ['run', '--target', 'target.yaml', ...few, ...sessions, '--shard', shard, '--report-dir', shard],
        folder,
      );
    const certify = ['--certify', '--development', '--challenge', 'challenge.json', ...key];
    await cli(['run', '--target', 'target.yaml', ...certify, '--report-dir', 'certified'], folder);
    const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
    const folderOf = async (path: string): Promise<ReportFolder> => ({
      report: await read(`${path}/report.json`),
      evidence: await read(`${path}/evidence.har`),
    });
    const challenged = {
      ...(await folderOf('certified')),
      certificate: await read('certified/certificate.json'),
    };
    await cli(['spot-check', 'certified', '--target', 'target.yaml', '--cases', '1'], folder);
    const countersign = ['--spot-check', 'spot-check.json', '--development', ...owner];
    await cli(
      ['countersign', 'certified', '--public-key', 'key/certificate-public.pem', ...countersign],
      folder,
    );
    const accept = ['--owner', 'us', '--reason', 'known', '--expires', '2099-01-01'];
    await cli(['baseline', 'faulty', ...accept, '--file', 'baseline.yaml'], folder);
    return {
      document,
      target: await read('target.yaml'),
      baseline: await read('baseline.yaml'),
      revocations: stringify([{ certificate: '0'.repeat(64), date: '2026-01-31', reason: 'withdrawn' }]),
      challenge: await read('challenge.json'),
      spotCheck: await read('spot-check.json'),
      ownerPrivateKey: await read('owner/certificate-private.pem'),
      ownerPublicKey: await read('owner/certificate-public.pem'),
      publicKey: await read('key/certificate-public.pem'),
      privateKey: await read('key/certificate-private.pem'),
      report: await read('faulty/report.json'),
      shards: [await folderOf('1/2'), await folderOf('2/2')],
      challenged,
      certified: {
        report: shortReport(challenged.report),
        evidence: shortEvidence(challenged.evidence),
        certificate: await read('certified/certificate.json'),
      },
    };
  } finally {
    await Promise.all([service.close(), faulty.close()]);
  }
}

/** The operation whose results and exchanges stay in a shortened report. */
const kept = 'getApiKeyIdentity';

function shortReport(text: string): string {
  const report = JSON.parse(text) as Report;
  const results = report.results.filter(({ operation }) => operation === kept);
  const count = (outcome: string): number => results.filter((one) => one.outcome === outcome).length;
  const summary: Report['summary'] = {
    pass: count('pass'),
    fail: count('fail'),
    warn: count('warn'),
    inconclusive: count('inconclusive'),
    notApplicable: count('not-applicable'),
    error: count('error'),
  };
  return serialiseReport({ ...report, results, summary });
}

function shortEvidence(text: string): string {
  const read = readEvidence(text);
  if (!read.ok) throw new Error(`the original evidence ${read.problems.join('; ')}`);
  const { run, exchanges, attempts } = read.log;
  const origin = originOf(run);
  const lines = exchanges
    .filter((exchange) => exchange.operation === kept && exchange.case.operation === kept)
    .map((exchange, index) => lineOf(exchange, origin, index === 0));
  return headOf(run) + lines.join('') + tailOf(attempts.filter((one) => one.case.operation === kept));
}
