import type { Report } from '../../harness/model/report.ts';
import { renderAdditional } from './additional.ts';
import { renderFindings, renderWarnings } from './findings.ts';
import { renderGate } from './gate.ts';
import { renderHarnessErrors } from './harness-errors.ts';
import { renderInconclusive } from './inconclusive.ts';
import { renderOperations } from './operations-table.ts';
import type { TerminalOptions } from './terminal-options.ts';
import { renderHeadline, renderVerdict } from './verdict.ts';

/** The whole report for a terminal: verdict and table first for who reads from the top, the gravest and the figures last for who sits at the prompt. */
export function renderReport(report: Report, options: TerminalOptions): string {
  const quiet = options.quiet === true;
  const blocks = [
    quiet ? '' : renderHeadline(report, options),
    quiet ? '' : renderOperations(report, options),
    renderWarnings(report, options),
    quiet ? '' : renderInconclusive(report, options),
    renderHarnessErrors(report, options),
    renderAdditional(report, options),
    renderFindings(report, options),
    renderVerdict(report, options),
    renderGate(report, options),
  ];
  return blocks.filter((block) => block !== '').join('\n');
}
