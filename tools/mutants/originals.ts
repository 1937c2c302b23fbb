import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import { startFault } from '../../fixtures/faults/start-fault.ts';
import { renderOpenApiDocument } from '../../fixtures/reference-service/openapi-document.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';

/** Valid files that mutants are made of, as texts. */
export interface Originals {
  readonly target: string;
  readonly document: string;
  readonly baseline: string;
  readonly challenge: string;
  readonly ownerPublicKey: string;
  readonly ownerPrivateKey: string;
  /** The keys of the vendor. */
  readonly publicKey: string;
  readonly privateKey: string;
  /** A report with findings. */
  readonly report: string;
  readonly shards: readonly [ReportFolder, ReportFolder];
}

/** The files of a run. */
export interface ReportFolder {
  readonly report: string;
  readonly evidence: string;
}

/** Runs the command line in a folder, to its end. */
export type RunCli = (args: readonly string[], folder: string) => Promise<unknown>;

/** Few cases of different kinds, so that a mutant is read in moments. */
const few = [
  ...['--check', 'AUTH-2', 'SCOPE-1', 'ERROR-2', 'SUCCESS-1'],
  ...['--operation', 'getApiKeyIdentity', 'createHostedCheckoutSession', 'getHostedCheckoutSession'],
];

/** Makes valid files of every kind but certificates, by runs against the reference service that `use` may call too. */
export async function makeOriginals<T>(
  folder: string,
  cli: RunCli,
  use: (originals: Originals) => Promise<T>,
): Promise<T> {
  const service = await startService();
  const fault = allFaults.find(({ name }) => name === 'create-answers-201');
  if (fault === undefined) throw new Error('there is no fault create-answers-201');
  const faulty = await startFault(fault);
  const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
  const folderOf = async (path: string): Promise<ReportFolder> => ({
    report: await read(`${path}/report.json`),
    evidence: await read(`${path}/evidence.har`),
  });
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'target.yaml'), stringify(service.target));
    await writeFile(join(folder, 'faulty.yaml'), stringify(faulty.target));
    for (const who of ['vendor', 'owner']) await cli(['keygen', '--out', who], folder);
    const terms = ['--vendor', 'Acme', '--product', 'Shop', '--base-url', service.baseUrl, '--development'];
    const signed = ['--sign-key', 'owner/certificate-private.pem', '--out', 'challenge.json'];
    await cli(['challenge', ...terms, ...signed], folder);
    await cli(['run', '--target', 'faulty.yaml', ...few, '--no-evidence', '--report-dir', 'faulty'], folder);
    for (const shard of ['1/2', '2/2'])
      await cli(['run', '--target', 'target.yaml', ...few, '--shard', shard, '--report-dir', shard], folder);
    const accept = ['--owner', 'us', '--reason', 'known', '--expires', '2099-01-01'];
    await cli(['baseline', 'faulty', ...accept, '--file', 'baseline.yaml'], folder);
    return await use({
      document: JSON.stringify(renderOpenApiDocument(service.shape, service.baseUrl), null, 2),
      target: await read('target.yaml'),
      baseline: await read('baseline.yaml'),
      challenge: await read('challenge.json'),
      ownerPrivateKey: await read('owner/certificate-private.pem'),
      ownerPublicKey: await read('owner/certificate-public.pem'),
      publicKey: await read('vendor/certificate-public.pem'),
      privateKey: await read('vendor/certificate-private.pem'),
      report: await read('faulty/report.json'),
      shards: [await folderOf('1/2'), await folderOf('2/2')],
    });
  } finally {
    await Promise.all([service.close(), faulty.close()]);
  }
}
