import { namedFormats } from '../cli/options/chosen-formats.ts';
import type { Report } from '../harness/model/report.ts';
import type { RenderedFile } from '../reporters/formats.ts';

/** The formats that a report can be rendered in. */
export type ReportFormatName = 'json' | 'html' | 'junit' | 'markdown' | 'badge' | 'allure';

/** The files of one format, with the paths that the command gives them in its report folder; writes nothing. */
export async function renderReport(
  report: Report,
  format: ReportFormatName,
): Promise<readonly RenderedFile[]> {
  const [named] = namedFormats([format], 'renderReport');
  return named === undefined ? [] : (await named.load())(report);
}
