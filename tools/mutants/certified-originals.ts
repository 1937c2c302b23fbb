import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { headOf, lineOf, originOf, tailOf } from '../../harness/evidence/evidence-format.ts';
import { parseEvidence } from '../../harness/evidence/read-evidence.ts';
import type { Report } from '../../harness/model/report.ts';
import { serialiseReport } from '../../reporters/json/write-report.ts';
import type { Originals, ReportFolder, RunCli } from './originals.ts';

/** Originals with certificates. */
export interface CertifiedOriginals extends Originals {
  readonly spotCheck: string;
  /** A valid certificate, and a countersigned one with a part of its report and evidence. */
  readonly challenged: CertifiedFolder;
  readonly certified: CertifiedFolder;
}

/** A report folder with a certificate. */
export interface CertifiedFolder extends ReportFolder {
  readonly certificate: string;
}

/** Adds certificates to originals, in the folder that these were made in. */
export async function certifyOriginals(
  originals: Originals,
  folder: string,
  cli: RunCli,
): Promise<CertifiedOriginals> {
  const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
  const certify = ['--certify', '--development', '--challenge', 'challenge.json'];
  const vendor = ['--sign-key', 'vendor/certificate-private.pem', '--report-dir', 'certified'];
  await cli(['run', '--target', 'target.yaml', ...certify, ...vendor], folder);
  const challenged = {
    report: await read('certified/report.json'),
    evidence: await read('certified/evidence.har'),
    certificate: await read('certified/certificate.json'),
  };
  await cli(['spot-check', 'certified', '--target', 'target.yaml', '--cases', '1'], folder);
  const keys = [
    ...['--sign-key', 'owner/certificate-private.pem'],
    ...['--public-key', 'vendor/certificate-public.pem'],
  ];
  await cli(
    ['countersign', 'certified', '--spot-check', 'spot-check.json', '--development', ...keys],
    folder,
  );
  return {
    ...originals,
    spotCheck: await read('spot-check.json'),
    challenged,
    certified: {
      report: shortReport(challenged.report),
      evidence: shortEvidence(challenged.evidence),
      certificate: await read('certified/certificate.json'),
    },
  };
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
  const { run, exchanges, attempts } = parseEvidence(text);
  const origin = originOf(run);
  const lines = exchanges
    .filter((exchange) => exchange.operation === kept && exchange.case.operation === kept)
    .map((exchange, index) => lineOf(exchange, origin, index === 0));
  return headOf(run) + lines.join('') + tailOf(attempts.filter((one) => one.case.operation === kept));
}
