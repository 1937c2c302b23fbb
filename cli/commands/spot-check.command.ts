import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  certificateDigest,
  passProbability,
  type SpotCheckResult,
  trialsOf,
  type UnsignedSpotCheck,
} from '../../harness/certification/spot-check.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { printableJson } from '../../harness/printable-json.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { escapeText } from '../../reporters/model/escape.ts';
import { readCertified } from '../certified-folder.ts';
import { numberFlag } from '../options/number-flag.ts';
import { addTargetFlags, readSettings, type TargetFlags } from '../options/target-flags.ts';
import type { SetExitCode } from '../set-exit-code.ts';
import { writeNewFile } from '../write-new-file.ts';

interface SpotCheckFlags extends TargetFlags {
  readonly cases: number;
  readonly out: string;
}

/** Cases that a spot check repeats. */
const usualCases = 40;
/** Shares of cheating that are printed. */
const shares = [0.01, 0.05, 0.1, 0.25];

/** `spot-check`: repeats a random part of a certified run live, as an ordinary client. */
export function addSpotCheckCommand(command: Command, setExitCode: SetExitCode): void {
  addTargetFlags(
    command
      .argument('<dir>')
      .option(
        '--cases <n>',
        'cases to repeat; every operation at least once',
        numberFlag('--cases', { integer: true, least: 1 }),
        usualCases,
      )
      .option('--out <file>', 'where the result goes, for countersign', 'spot-check.json'),
  )
    .addHelpText(
      'after',
      `
The requests have the headers of an ordinary client, no request ids, a random order and fresh random values.

Example:
  npx commerce-conformance spot-check acme --target acme.yaml --out acme-spot-check.json

Exit codes: 0 the recorded outcomes are confirmed, 1 the service differs, 2 usage.`,
    )
    .action(async (folder: string, flags: SpotCheckFlags) => {
      setExitCode(await check(folder, flags));
    });
}

async function check(folder: string, { cases, out, ...flags }: SpotCheckFlags): Promise<number> {
  const { certificate, report, log } = await readCertified(folder, { development: true });
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
    const { spotCheck } = await import('../../harness/engine/spot-check.ts');
    const result = await spotCheck({
      target: settings.target,
      options: { ...settings.options, fuzzRuns: log.run.options.fuzzRuns },
      ...(log.run.document === undefined ? {} : { document: log.run.document }),
      report,
      exchanges: log.exchanges,
      cases,
    });
    const unsigned: UnsignedSpotCheck = {
      version: 1,
      certificate: certificateDigest(certificate.envelope),
      result,
    };
    await writeNewFile(resolve(out), `${printableJson(unsigned, 2)}\n`);
    process.stdout.write(inWords(result, out));
    return result.passed ? 0 : 1;
  } finally {
    await settings.release();
  }
}

function inWords(result: SpotCheckResult, out: string): string {
  const { repeated, unrepeated, operations, requests, differences, passed, remarks = [] } = result;
  const trials = trialsOf(result);
  return [
    passed ? 'The spot check confirms the recorded outcomes.' : 'The service differs from its certificate:',
    ...differences.map((text) => `  ${escapeText(text, 500)}`),
    ...remarks.map((text) => `Look at ${escapeText(text, 1_000)}`),
    `${repeated} cases on ${operations} operations and ${result.verbatim ?? 0} recorded calls, with ${requests} requests; ${unrepeated} cases could not be tested`,
    'Probability that a service which cheats in a share p of its calls would have passed, at most (1 - p)^n:',
    ...shares.map(
      (share) =>
        `  p = ${`${share * 100} %`.padStart(4)}, n = ${trials}: ${(100 * passProbability(share, trials)).toPrecision(3)} %`,
    ),
    `${out}  the result, for countersign`,
    '',
  ].join('\n');
}
