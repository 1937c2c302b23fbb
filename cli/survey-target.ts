import { Run } from '../harness/engine/run/run.ts';
import type { Preflight } from '../harness/target/preflight.ts';
import type { Survey } from '../harness/target/survey.ts';
import type { Settings } from './options/read-settings.ts';

/** A run that has only sent harmless reads and has no results; close it. */
export interface SurveyedRun {
  readonly run: Run;
  readonly preflight: Preflight;
  readonly survey: Survey;
  /** How keys are written on the target where that is not what the user says; the run goes by it. */
  readonly authorization: string | undefined;
}

/**
 * Asks the target; where it takes its keys in another form than the user says, asks again with that form. What `onOpen`
 * throws is thrown before anything is sent. Throws where a signal interrupts it.
 */
export async function surveyTarget(settings: Settings, onOpen: (run: Run) => void): Promise<SurveyedRun> {
  const run = await Run.open(settings);
  try {
    onOpen(run);
    const preflight = await run.preflight();
    const survey = await run.survey();
    if (run.isInterrupted) throw new Error('interrupted');
    const { authorization } = survey;
    if (authorization === undefined) return { run, preflight, survey, authorization };
    await run.close();
    const again = await surveyTarget({ ...settings, target: { ...settings.target, authorization } }, onOpen);
    return { ...again, authorization };
  } catch (error) {
    await run.close();
    throw error;
  }
}
