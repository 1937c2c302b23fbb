import { certificateDigest, type UnsignedSpotCheck } from '../harness/certification/spot-check.ts';
import { spotCheck } from '../harness/engine/verify/spot-check.ts';
import { UsageError } from '../harness/usage-error.ts';
import type { RunFlags } from '../spec/options.ts';
import type { OnRun } from './ending-signals.ts';
import { withSettings } from './options/read-settings.ts';
import { type Requirements, readCertified } from './verify-folder.ts';

/** Spot-checks the certificate of a folder; refuses one that is not valid, or is about another base URL. */
export async function spotCheckFolder(
  folder: string,
  flags: RunFlags,
  { cases, onRun }: { readonly cases: number; readonly onRun: OnRun },
  requirements: Requirements = { development: true },
): Promise<UnsignedSpotCheck> {
  const { certificate, report, evidence } = await readCertified(folder, requirements);
  return withSettings(flags, async ({ target, options }) => {
    const { baseUrl } = target;
    if (baseUrl !== report.target.baseUrl)
      throw new UsageError({
        where: '--target',
        what: `the target is ${baseUrl}, and the certificate is about ${report.target.baseUrl}`,
        remedy: 'name a target file with the base URL of the certificate',
      });
    const { document, options: recorded } = evidence.run;
    const { fuzzRuns, profile } = recorded;
    const result = await spotCheck({
      target,
      options: { ...options, fuzzRuns, profile },
      ...(document && { document }),
      report,
      evidence,
      cases,
      onRun,
    });
    return { version: 1, certificate: certificateDigest(certificate.envelope), result };
  });
}
