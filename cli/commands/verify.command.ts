import { type LevelOfTrust, reaches } from '../../harness/certification/claims.ts';
import type { Verification } from '../../harness/engine/verify/verify-certificate.ts';
import { firstFew } from '../../harness/first-few.ts';
import { printableJson } from '../../harness/printable-json.ts';
import { escapeText, plural } from '../../reporters/model/wording.ts';
import type { CommandFlags } from '../../spec/command-options.ts';
import type { CommandDefinition } from '../command-list.ts';
import { describeClaims } from '../describe-claims.ts';
import { readPublicKeyFile } from '../options/pem-files.ts';
import { verifyFolder } from '../verify-folder.ts';

/** Defects that are printed. */
const mostLines = 40;
const widest = 400;

/** `verify`: whether a certificate is valid, checked offline from the files of a report folder. */
export const command: CommandDefinition = {
  arguments: [['<dir>', 'folder with certificate.json, report.json and evidence.har']],
  after: `Example:
  npx commerce-conformance verify conformance-report --public-key certificate-public.pem
  npx commerce-conformance verify acme --owner-key owner-public.pem --require countersigned --vendor Acme

Without a key nothing proves who signed, and the level is self-declared.

Exit codes: 0 valid at the required level, 1 not, 2 usage, 3 this version cannot verify it.`,
  run: verify,
};

async function verify(folder: string, flags: CommandFlags<'verify'>): Promise<number> {
  const { baseUrl, vendor, maxAge } = flags;
  const verification = await verifyFolder(folder, {
    publicKey: await readPublicKeyFile(flags.publicKey, '--public-key'),
    ownerKey: await readPublicKeyFile(flags.ownerKey, '--owner-key'),
    development: flags.development === true,
    expected: { baseUrl, vendor, maxAgeDays: maxAge },
  });
  const required = flags.require;
  const { level, problems, unknowns, remarks } = verification;
  const isReached = level !== undefined && reaches(level, required);
  const { recomputed = null, claims = null } = verification;
  const told = { recomputed, claims, problems, unknowns, remarks };
  const result = { valid: level !== undefined, level: level ?? null, required, reached: isReached, ...told };
  process.stdout.write(
    flags.json === true ? `${printableJson(result, 2)}\n` : inWords(verification, required),
  );
  if (problems.length > 0) return 1;
  if (unknowns.length > 0) return 3;
  return isReached ? 0 : 1;
}

function inWords(verification: Verification, required: LevelOfTrust): string {
  const { problems, unknowns, level, claims, recomputed } = verification;
  const remarks = [...verification.remarks];
  if (recomputed !== undefined) {
    const { confirmed, requests } = recomputed;
    const others = Number(claims?.traffic.requests) - requests;
    remarks.push(
      `${confirmed} of ${requests} requests of cases match those that the seed determines`,
      `${plural(others, 'other request')} outside of cases: the preflight, cancels of sessions left open, bursts that provoke throttling`,
    );
  }
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
  return firstFew(lines, mostLines)
    .map((line) => `  ${escapeText(line, widest)}\n`)
    .join('');
}
