import type { Command } from 'commander';
import { type LevelOfTrust, levelsOfTrust, reaches } from '../../harness/certification/level-of-trust.ts';
import type { Verification } from '../../harness/engine/verify-certificate.ts';
import { printableJson } from '../../harness/printable-json.ts';
import { escapeText } from '../../reporters/model/escape.ts';
import { describeClaims } from '../describe-claims.ts';
import { readPublicKeyFile } from '../key-files.ts';
import { levelFlag } from '../options/level-flag.ts';
import { numberFlag } from '../options/number-flag.ts';
import type { SetExitCode } from '../set-exit-code.ts';
import { type Requirements, verifyFolder } from '../verify-folder.ts';

interface VerifyFlags {
  readonly publicKey?: string;
  readonly ownerKey?: string;
  readonly require: LevelOfTrust;
  readonly baseUrl?: string;
  readonly vendor?: string;
  readonly maxAge?: number;
  readonly development?: boolean;
  readonly json?: boolean;
}

/** Defects that are printed. */
const mostLines = 40;
const widest = 400;

/** `verify`: whether a certificate is valid, told offline from the files of a report folder. */
export function addVerifyCommand(command: Command, setExitCode: SetExitCode): void {
  command
    .argument('<dir>', 'folder with certificate.json, report.json and evidence.har')
    .option('--public-key <file>', "PEM file of the vendor's public key, which must have signed")
    .option('--owner-key <file>', "PEM file of the programme owner's public key")
    .option(
      '--require <level>',
      `the level of trust that it must reach: ${levelsOfTrust.join(', ')}`,
      levelFlag,
      'signed',
    )
    .option('--base-url <url>', 'the base URL that it must be about')
    .option('--vendor <name>', "the vendor that the owner's challenge must name")
    .option('--max-age <days>', 'the most days since the run', numberFlag('--max-age', { least: 0 }))
    .option('--development', 'accept a development certificate')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
Example:
  npx commerce-conformance verify conformance-report --public-key certificate-public.pem
  npx commerce-conformance verify acme --owner-key owner-public.pem --require countersigned --vendor Acme

Without a key nothing proves who signed, and the level is self-declared.

Exit codes: 0 valid at the required level, 1 not, 2 usage, 3 this version cannot verify it.`,
    )
    .action(async (folder: string, flags: VerifyFlags) => {
      const verification = await verifyFolder(folder, await requirementsOf(flags));
      const required = flags.require;
      const { level } = verification;
      const isReached = level !== undefined && reaches(level, required);
      process.stdout.write(
        flags.json === true
          ? `${printableJson({ valid: level !== undefined, level: level ?? null, required, reached: isReached, recomputed: verification.recomputed ?? null, claims: verification.claims ?? null, problems: verification.problems, unknowns: verification.unknowns, remarks: verification.remarks }, 2)}\n`
          : inWords(verification, required),
      );
      setExitCode(exitCodeOf(verification, isReached));
    });
}

function exitCodeOf({ problems, unknowns }: Verification, isReached: boolean): number {
  if (problems.length > 0) return 1;
  if (unknowns.length > 0) return 3;
  return isReached ? 0 : 1;
}

async function requirementsOf({
  publicKey,
  ownerKey,
  development,
  baseUrl,
  vendor,
  maxAge,
}: VerifyFlags): Promise<Requirements> {
  return {
    ...(publicKey === undefined ? {} : { publicKey: await readPublicKeyFile(publicKey, '--public-key') }),
    ...(ownerKey === undefined ? {} : { ownerKey: await readPublicKeyFile(ownerKey, '--owner-key') }),
    development: development === true,
    expected: {
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(vendor === undefined ? {} : { vendor }),
      ...(maxAge === undefined ? {} : { maxAgeDays: maxAge }),
    },
  };
}

function inWords(verification: Verification, required: LevelOfTrust): string {
  const { problems, unknowns, level, claims, recomputed } = verification;
  const remarks = [
    ...verification.remarks,
    ...(recomputed === undefined
      ? []
      : [
          `${recomputed.confirmed} of ${recomputed.requests} requests of cases are those that the seed requires`,
          ...Object.entries(recomputed.disturbed).map(
            ([cause, count]) => `${count} more requests are in attempts with ${cause}`,
          ),
        ]),
  ];
  const claimed = claims === undefined ? '' : `\nClaims:\n${describeClaims(claims)}`;
  if (problems.length > 0)
    return `The certificate is not valid:\n${list([...problems, ...unknowns])}${claimed}`;
  if (level === undefined) return `This version cannot verify the certificate:\n${list(unknowns)}${claimed}`;
  const reached = reaches(level, required)
    ? `The certificate is valid. Level of trust: ${level}.`
    : `The certificate is consistent, but its level of trust is only ${level}; required: ${required}.`;
  return `${reached}\n${list(remarks)}${claimed}`;
}

function list(lines: readonly string[]): string {
  return [
    ...lines.slice(0, mostLines).map((line) => `  ${escapeText(line, widest)}\n`),
    ...(lines.length > mostLines ? [`  and ${lines.length - mostLines} more\n`] : []),
  ].join('');
}
