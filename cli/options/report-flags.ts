import type { Command } from 'commander';
import { usualDays } from '../../harness/certification/certifiable.ts';
import { collectFormats, viewNames } from './chosen-formats.ts';
import { numberFlag } from './number-flag.ts';

/** The flags that say what becomes of a report, as commander gives them. */
export interface ReportFlags {
  readonly reportDir?: string;
  readonly format?: readonly string[];
  readonly baseline?: string;
  readonly certify?: boolean;
  readonly failIncomplete?: boolean;
  readonly signKey?: string;
  readonly certificateDays?: number;
  readonly development?: boolean;
  readonly color: boolean;
  readonly quiet?: boolean;
}

/** Where a report goes if nothing else is said. */
export const usualReportDir = 'conformance-report';

/** Adds the flags that say what becomes of a report. */
export function addReportFlags(command: Command): Command {
  return command
    .option('--report-dir <dir>', `where the report goes (default: ${usualReportDir})`)
    .option(
      '--format <list>',
      `formats to write beside report.json: ${viewNames}; comma-separated or repeated`,
      collectFormats,
    )
    .option(
      '--baseline <file>',
      'file of accepted findings; other findings and stale or expired entries fail',
    )
    .option('--fail-incomplete', 'exit code 3 where a must case was not tested, also with --baseline')
    .option(
      '--certify',
      'no verdict unless every must was tested; writes certificate.json if the service conforms',
    )
    .option('--sign-key <file>', 'PEM file of the Ed25519 key that signs the certificate; see keygen')
    .option(
      '--certificate-days <n>',
      `days that the certificate is valid (default: ${usualDays})`,
      numberFlag('--certificate-days', { integer: true, least: 1 }),
    )
    .option('--development', 'certify a service on loopback, as a rehearsal')
    .option('--quiet', 'only the verdict and the findings');
}
