import { plural } from '../../reporters/model/wording.ts';
import type { Job } from './prove.ts';

/** Seconds of one processor for one service at the standard profile, from the last whole proof. */
const secondsOf: Readonly<Record<Job['kind'], number>> = { fault: 1.9, variant: 4.4 };

/** The services that a proof is about to test and, for whole runs at the standard profile, about how long that takes. */
export function announce(
  jobs: ReadonlyArray<Pick<Job, 'kind' | 'profile' | 'check'>>,
  processors: number,
): string {
  const count = (kind: Job['kind']): number => jobs.filter((job) => job.kind === kind).length;
  const what = `${plural(count('fault'), 'fault')} and ${plural(count('variant'), 'variant')} to prove`;
  if (jobs.some(({ profile, check }) => profile !== 'standard' || check !== undefined)) return what;
  const seconds = jobs.reduce((sum, { kind }) => sum + secondsOf[kind], 0) / processors;
  const time = seconds < 60 ? 'less than a minute' : `about ${plural(Math.round(seconds / 60), 'minute')}`;
  return `${what}: ${time} on ${plural(processors, 'idle processor')}`;
}
