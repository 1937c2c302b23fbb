import { Run } from '../harness/engine/run/run.ts';
import type { Preflight } from '../harness/target/preflight.ts';
import type { Survey } from '../harness/target/survey.ts';
import type { Settings } from './options/read-settings.ts';

/** A run that has only sent harmless reads and has no results. */
export interface SurveyedRun {
  readonly run: Run;
  readonly preflight: Preflight;
  readonly survey: Survey;
  /** How keys are written on the target where that is not what the user says; the run goes by it. */
  readonly authorization: string | undefined;
}

/**
 * Asks the target; where it takes its keys in another form than the user says, asks again with that form. What `onOpen`
 * throws is thrown before anything is sent. Throws where a signal interrupts it. The run is closed when `use` has ended.
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
    if (run.isInterrupted) throw new Error('interrupted');
    const { authorization } = survey;
    if (authorization === undefined) return await use({ run, preflight, survey, authorization: found });
    await run.close();
    const target = { ...settings.target, authorization };
    return await withSurvey({ ...settings, target }, onOpen, use, authorization);
  } finally {
    await run.close();
  }
}
