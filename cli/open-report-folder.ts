import type { ReportFormat } from '../reporters/formats.ts';
import { lockReportDir } from './lock-report-dir.ts';
import { prepareReportDir } from './options/report-dir.ts';
import { prepareViews } from './write-views.ts';

/** Locks a report folder and prepares it for a report and its views; gives what unlocks it. */
export async function openReportFolder(
  folder: string,
  views: readonly ReportFormat[],
): Promise<() => Promise<void>> {
  const unlock = await lockReportDir(folder, '--report-dir');
  try {
    await prepareReportDir(folder);
    await prepareViews(folder, views, '--report-dir');
    return unlock;
  } catch (error) {
    await unlock();
    throw error;
  }
}
