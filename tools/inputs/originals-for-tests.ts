import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import { callCli } from '../../e2e/in-process-for-tests.ts';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import { startFault } from '../../fixtures/faults/start-fault.ts';
import { renderOpenApiDocument } from '../../fixtures/reference-service/openapi-document.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';

/** The files of a run. */
export interface ReportFolder {
  readonly report: string;
  readonly evidence: string;
}

/** A report folder with a certificate. */
export interface CertifiedFolder extends ReportFolder {
  readonly certificate: string;
}

/** Valid files of every kind, as texts. */
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
  /** A challenged certificate, its spot check, and the countersigned certificate; absent unless asked for. */
  readonly certified?: {
    readonly challenged: CertifiedFolder;
    readonly spotCheck: string;
    readonly countersigned: CertifiedFolder;
  };
}

/** Few cases of different kinds, so that an input is read in moments. */
const few = [
  ...['--check', 'AUTH-2', 'SCOPE-1', 'ERROR-2', 'SUCCESS-1'],
  ...['--operation', 'getApiKeyIdentity', 'createHostedCheckoutSession', 'getHostedCheckoutSession'],
];

/** Makes valid files by runs against the reference service. */
export async function makeOriginals(folder: string, withCertificates: boolean): Promise<Originals> {
  const fault = allFaults.find(({ name }) => name === 'create-answers-201') ?? expect.fail('no such fault');
  const [service, faulty] = await Promise.all([startService(), startFault(fault)]);
  const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
  const folderOf = async (path: string): Promise<ReportFolder> => ({
    report: await read(`${path}/report.json`),
    evidence: await read(`${path}/evidence.har`),
  });
  const cli = async (...args: readonly string[]): Promise<void> => {
    const { exitCode, stderr } = await callCli(args, { cwd: folder });
    expect([0, 1, 3], stderr).toContain(exitCode);
  };
  const vendorKey = ['--sign-key', 'vendor/certificate-private.pem'];
  const ownerKey = ['--sign-key', 'owner/certificate-private.pem'];
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'target.yaml'), stringify(service.target));
    await writeFile(join(folder, 'faulty.yaml'), stringify(faulty.target));
    for (const who of ['vendor', 'owner']) await cli('keygen', '--out', who);
    const terms = ['--vendor', 'Acme', '--product', 'Shop', '--base-url', service.baseUrl, '--development'];
    await cli('challenge', ...terms, ...ownerKey, '--out', 'challenge.json');
    await cli('run', '--target', 'faulty.yaml', ...few, '--no-evidence', '--report-dir', 'faulty');
    for (const shard of ['1/2', '2/2'])
      await cli('run', '--target', 'target.yaml', ...few, '--shard', shard, '--report-dir', shard);
    const accept = ['--owner', 'us', '--reason', 'known', '--expires', '2099-01-01'];
    await cli('baseline', 'faulty', ...accept, '--file', 'baseline.yaml');
    const certify = async (): Promise<Required<Originals>['certified']> => {
      const challenge = ['--certify', '--development', '--challenge', 'challenge.json'];
      await cli('run', '--target', 'target.yaml', ...challenge, ...vendorKey, '--report-dir', 'certified');
      const files = await folderOf('certified');
      const challenged = { ...files, certificate: await read('certified/certificate.json') };
      await cli('spot-check', 'certified', '--target', 'target.yaml', '--cases', '1');
      const checked = ['--spot-check', 'spot-check.json', '--development'];
      await cli(
        ...['countersign', 'certified', ...checked, ...ownerKey],
        ...['--public-key', 'vendor/certificate-public.pem'],
      );
      const countersigned = { ...files, certificate: await read('certified/certificate.json') };
      return { challenged, spotCheck: await read('spot-check.json'), countersigned };
    };
    return {
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
      ...(withCertificates && { certified: await certify() }),
    };
  } finally {
    await Promise.all([service.close(), faulty.close()]);
  }
}
