import type { Report } from '../../harness/model/report.ts';
import { additionalView } from '../model/additional.ts';
import { inline } from './inline.ts';

/** What checks of the user came to, apart from the verdict; empty where there were none. */
export function additionalSection(report: Report, most: number): string[] {
  const view = additionalView(report, (text) => text);
  if (view === undefined) return [];
  const shown = view.entries
    .slice(0, most)
    .map(({ says, title, details }) => `- ${says}: ${inline([title, ...details].join(' · '))}`);
  const more = view.entries.length - shown.length;
  const list = [...shown, ...(more > 0 ? [`- … and ${more} more`] : [])];
  return [`### ${inline(view.heading)}`, ...(list.length > 0 ? [list.join('\n')] : [])];
}
