import { stringify } from 'yaml';
import type { Acceptance, BaselineEntry, Report } from '../../model/report.ts';
import { entryAccepting, weighedFindings } from '../findings-by-level.ts';

/** Entries that accept the findings that fail a run, and its warnings if `warnings` is set. */
export function baselineEntries(
  report: Report,
  acceptance: Acceptance,
  { warnings }: { readonly warnings: boolean },
): readonly BaselineEntry[] {
  const entries = new Map<string, BaselineEntry>();
  for (const { finding, result, weight } of weighedFindings(report)) {
    if (finding === null || (weight === 'warn' && !warnings) || entries.has(finding.id)) continue;
    entries.set(finding.id, entryAccepting(result, finding, acceptance));
  }
  return [...entries.values()];
}

/** The entries as a file that `--baseline` takes. */
export function baselineText(entries: readonly BaselineEntry[]): string {
  const head = '# Findings that a release may have; read by npx commerce-conformance run --baseline.\n';
  return head + stringify({ accepted: entries }, { lineWidth: 0 });
}
