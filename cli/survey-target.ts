import { Run } from '../harness/engine/run/run.ts';
import type { Preflight } from '../harness/target/preflight.ts';
import type { Survey } from '../harness/target/survey.ts';
import type { Settings } from './options/read-settings.ts';

/** A run that has only sent harmless reads and has no results. */
export interface SurveyedRun {
  readonly run: Run;
  readonly preflight: Preflight;
  readonly survey: Survey;
  /** The format of keys that the target takes, if it is not the one that the user gave; the run uses it. */
  readonly authorization: string | undefined;
}

/**
 * Asks the target; if it takes its keys in another format than the user gave, asks again with that format. `onOpen` is
 * called before anything is sent. Throws if a signal interrupts it. The run is closed when `use` has ended.
 */
export async function withSurvey<T>(
  settings: Settings,
  onOpen: (run: Run) => void,
  use: (surveyed: SurveyedRun) => Promise<T>,
  found?: string,
): Promise<T> {
  const run = await Run.open(settings);
  try {
    onOpen(run);
    const preflight = await run.preflight();
    const survey = await run.survey();
    if (run.context.interruption.isRequested) throw new Error('interrupted');
    const { authorization } = survey;
    if (authorization === undefined) return await use({ run, preflight, survey, authorization: found });
    await run.close();
    const target = { ...settings.target, authorization };
    return await withSurvey({ ...settings, target }, onOpen, use, authorization);
  } finally {
    await run.close();
  }
}
