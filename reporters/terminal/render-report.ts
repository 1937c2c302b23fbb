import type { Report } from '../../harness/model/report.ts';
import { wasTested } from '../model/run-figures.ts';
import { renderAdditional } from './additional.ts';
import { renderGate } from './gate.ts';
import { renderHarnessErrors } from './harness-errors.ts';
import { renderInconclusive } from './inconclusive.ts';
import { renderOperations } from './operations-table.ts';
import { renderNotes, renderRootCauses } from './root-causes.ts';
import type { TerminalOptions } from './terminal-options.ts';
import { renderFigures, renderVerdict } from './verdict.ts';

/** The whole report for a terminal, the most important last: there the reader sits. */
export function renderReport(report: Report, options: TerminalOptions): string {
  // Where nothing was tested, the reason of the verdict says it all.
  const quiet = options.quiet === true || !wasTested(report);
  const blocks = [
    quiet ? '' : renderOperations(report, options),
    quiet ? '' : renderInconclusive(report, options),
    quiet ? '' : renderNotes(report, options),
    renderAdditional(report, options),
    renderHarnessErrors(report, options),
    renderRootCauses(report, 'warn', options),
    renderRootCauses(report, 'fail', options),
    quiet ? '' : renderFigures(report, options),
    renderVerdict(report, options),
    renderGate(report, options),
  ];
  return blocks.filter((block) => block !== '').join('\n');
}
