import type { Report } from '../model/report.ts';
import type { Shard } from '../model/shard.ts';
import type { Exclusion } from '../model/target.ts';
import type { Profile } from '../sampling/profile.ts';
import { defaultOptions } from '../target/default-options.ts';

/** What a run is asked to do, as far as a certificate hangs on it. */
export interface Undertaking {
  readonly options: {
    readonly operations: readonly string[];
    readonly checks: readonly string[];
    readonly readOnly: boolean;
    readonly fuzzRuns: number;
    readonly profile?: Profile;
    readonly shard?: Shard | undefined;
  };
  readonly exclusions: readonly Exclusion[];
  /** The flags as they were given. */
  readonly given: Readonly<Record<string, unknown>>;
}

/** Random values for each input that a certificate asks for at least. */
const leastFuzzRuns = defaultOptions.fuzzRuns;
/** Days that a certificate may be valid at the most. */
export const mostDays = 366;
/** Days that a certificate is valid where nobody says otherwise. */
export const usualDays = 90;

/** Why a run that is asked for so cannot lead to a certificate: nothing may be left out, and no finding accepted. */
export function obstacles({ options, exclusions, given }: Undertaking): string[] {
  const excluded = exclusions.map((exclusion) => exclusion.class);
  return [
    ...(options.operations.length > 0 ? ['--operation leaves out operations'] : []),
    ...(options.checks.length > 0 ? ['--check leaves out checks'] : []),
    ...(options.readOnly ? ['--read-only leaves out every POST'] : []),
    ...(options.fuzzRuns < leastFuzzRuns ? [`--fuzz-runs is less than ${leastFuzzRuns}`] : []),
    ...(options.profile === 'quick' ? ['--profile quick leaves out checks'] : []),
    ...(excluded.length > 0 ? [`the target file leaves out values: ${excluded.join(', ')}`] : []),
    ...(given['baseline'] === undefined ? [] : ['--baseline accepts findings']),
    ...(given['checks'] === undefined
      ? []
      : ['--checks adds to what a certificate speaks of: the contract alone']),
    ...(options.shard === undefined ? [] : ['--shard runs only a part: it is merge that takes --certify']),
  ];
}

/** Why a report deserves no certificate, in the words of the report; none where it does. */
export function shortcomings(report: Report): readonly string[] {
  if (report.baseline !== undefined) return ['findings were accepted by a baseline'];
  if (report.verdict === 'conformant' && report.complete) return [];
  return [`the verdict is ${report.verdict}`, ...report.reasons];
}
