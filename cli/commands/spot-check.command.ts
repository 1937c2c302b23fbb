import { resolve } from 'node:path';
import {
  certificateDigest,
  passProbability,
  type SpotCheckResult,
  trialsOf,
  type UnsignedSpotCheck,
} from '../../harness/certification/spot-check.ts';
import { spotCheck } from '../../harness/engine/verify/spot-check.ts';
import { printableJson } from '../../harness/printable-json.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { escapeText } from '../../reporters/model/wording.ts';
import type { CommandFlags } from '../../spec/command-options.ts';
import { type RunFlags, targetOptions } from '../../spec/options.ts';
import type { CommandDefinition } from '../command-list.ts';
import { interruptible, type OnRun } from '../ending-signals.ts';
import { withSettings } from '../options/read-settings.ts';
import { type Requirements, readCertified } from '../verify-folder.ts';
import { writeNewFile } from '../write-new-file.ts';

/** Shares of cheating that are printed. */
const shares = [0.01, 0.05, 0.1, 0.25];

type SpotCheckFlags = RunFlags & CommandFlags<'spot-check'>;

/** `spot-check`: repeats a random part of a certified run live, as an ordinary client. */
export const command: CommandDefinition = {
  after: `The requests have the headers of an ordinary client, no request ids, a random order and fresh random values.

Example:
  npx commerce-conformance spot-check acme --target acme.yaml --out acme-spot-check.json

Exit codes: 0 the recorded outcomes are confirmed, 1 the service differs, 2 usage.`,
  arguments: [['<dir>']],
  options: targetOptions,
  run: (folder: string, flags: SpotCheckFlags) => interruptible((onRun) => check(folder, flags, onRun)),
};

async function check(folder: string, given: SpotCheckFlags, onRun: OnRun): Promise<number> {
  const { cases, out, ...flags } = given;
  const unsigned = await spotCheckFolder(folder, flags, { cases, onRun });
  const { result } = unsigned;
  await writeNewFile(resolve(out), `${printableJson(unsigned, 2)}\n`);
  process.stdout.write(inWords(result, out));
  return result.passed ? 0 : 1;
}

function inWords(result: SpotCheckResult, out: string): string {
  const { repeated, unrepeated, operations, requests, differences, passed, remarks = [] } = result;
  const trials = trialsOf(result);
  return [
    passed ? 'The spot check confirms the recorded outcomes.' : 'The service differs from its certificate:',
    ...differences.map((text) => `  ${escapeText(text, 500)}`),
    ...remarks.map((text) => `Look at ${escapeText(text, 1_000)}`),
    `${repeated} cases on ${operations} operations and ${result.verbatim ?? 0} recorded calls, with ${requests} requests; ${unrepeated} cases could not be tested`,
    'Probability, at most (1 - p)^n, that a service passes although it cheats in a share p of its calls:',
    ...shares.map((share) => {
      const chance = inPercent(passProbability(share, trials));
      return `  p = ${`${share * 100} %`.padStart(4)}, n = ${trials}: ${chance}`;
    }),
    `${out}  the result, for countersign`,
    '',
  ].join('\n');
}

function inPercent(probability: number): string {
  return probability < 0.0001 ? 'under 0.01 %' : `${(100 * probability).toPrecision(3)} %`;
}

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
