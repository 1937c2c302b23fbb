import { certificateDigest, type UnsignedSpotCheck } from '../harness/certification/spot-check.ts';
import { loadCatalogue } from '../harness/checks/catalogue.ts';
import { spotCheck } from '../harness/engine/verify/spot-check.ts';
import { UsageError } from '../harness/usage-error.ts';
import type { RunFlags } from '../spec/options.ts';
import type { OnRun } from './ending-signals.ts';
import { readSettings } from './options/read-settings.ts';
import type { Requirements } from './verify-folder.ts';
import { readCertified } from './verify-folder.ts';

/** Spot-checks the certificate of a folder; refuses one that is not valid, or is about another base URL. */
export async function spotCheckFolder(
  folder: string,
  flags: RunFlags,
  { cases, onRun }: { readonly cases: number; readonly onRun: OnRun },
  requirements: Requirements = { development: true },
): Promise<UnsignedSpotCheck> {
  const { certificate, report, evidence } = await readCertified(folder, requirements);
  const { contract } = await loadCatalogue();
  const settings = await readSettings(flags, contract);
  try {
    const { baseUrl } = settings.target;
    if (baseUrl !== report.target.baseUrl)
      throw new UsageError({
        where: '--target',
        what: `the target is ${baseUrl}, and the certificate is about ${report.target.baseUrl}`,
        remedy: 'name a target file with the base URL of the certificate',
      });
    const result = await spotCheck({
      target: settings.target,
      options: {
        ...settings.options,
        fuzzRuns: evidence.run.options.fuzzRuns,
        profile: evidence.run.options.profile ?? 'standard',
      },
      ...(evidence.run.document === undefined ? {} : { document: evidence.run.document }),
      report,
      evidence,
      cases,
      onRun,
    });
    return { version: 1, certificate: certificateDigest(certificate.envelope), result };
  } finally {
    await settings.release();
  }
}
