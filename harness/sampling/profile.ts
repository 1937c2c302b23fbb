import { optionTable } from '../../spec/options.ts';

/** How thorough a run is: for each change, for each release, or for a search without haste. */
export type Profile = (typeof optionTable.profile.choices)[number];

/** All profiles, each of which sends what those before it send. */
export const profiles: readonly Profile[] = optionTable.profile.choices;

/**
 * How many of its requests a step sends in a run that samples: a `part` where more of the same show it more surely, or
 * `one` where the operations together send enough.
 */
export type Strength = 'part' | 'one';

/** What sets one profile apart from the others, besides the steps and values that begin with it. */
export interface ProfileSettings {
  /** Operations share the values of a step, so that together they get them all; otherwise each gets all. */
  readonly sharesValues: boolean;
  /** Which calls cases take over from others; those of set-up only for what must be refused, or uses nothing up. */
  readonly shares: 'nothing' | 'valid calls' | 'valid calls and set-up';
  /** How many of so many requests a step of a strength sends. */
  readonly sends: (requests: number, strength: Strength) => number;
}

const all = (requests: number): number => requests;
const few = (requests: number, strength: Strength): number =>
  Math.min(requests, strength === 'one' ? 1 : Math.ceil(requests / 3));

/** The table of profiles. */
export const profileSettings: Readonly<Record<Profile, ProfileSettings>> = {
  quick: { sharesValues: true, shares: 'valid calls and set-up', sends: few },
  standard: { sharesValues: false, shares: 'valid calls', sends: all },
  deep: { sharesValues: false, shares: 'nothing', sends: all },
};

/** The profiles that send something; all if empty. */
export interface ProfileRange {
  /** The least thorough one; `quick` if absent. */
  readonly from?: Profile;
  /** The most thorough one; `deep` if absent. */
  readonly until?: Profile;
}

/** Whether a run with this profile includes what begins with another. */
export function includes(profile: Profile, least: Profile = 'quick'): boolean {
  return profiles.indexOf(profile) >= profiles.indexOf(least);
}

/** Whether a profile is within a range. */
export function isWithin({ from, until = 'deep' }: ProfileRange, profile: Profile): boolean {
  return includes(profile, from) && includes(until, profile);
}
