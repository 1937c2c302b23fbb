/** How thorough a run is: for each change, for each release, or for a search without haste. */
export type Profile = 'quick' | 'standard' | 'deep';

/** All profiles, each of which sends what those before it send. */
export const profiles: readonly Profile[] = ['quick', 'standard', 'deep'];

/** Whether a run with this profile includes what begins with another. */
export function includes(profile: Profile, least: Profile = 'quick'): boolean {
  return profiles.indexOf(profile) >= profiles.indexOf(least);
}
