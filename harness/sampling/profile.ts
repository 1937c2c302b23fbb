import { optionTable } from '../../spec/options.ts';

/** How thorough a run is: for each change, for each release, or for a search without haste. */
export type Profile = (typeof optionTable.profile.choices)[number];

/** All profiles, each of which sends what those before it send. */
export const profiles: readonly Profile[] = optionTable.profile.choices;

/** How much a request tells for its cost: those of high weight are part of every run. */
export type Weight = (typeof weights)[number];

const weights = ['low', 'medium', 'high'] as const;

/**
 * How many of its requests a step sends in a run that samples: a `part` where more of the same show it more surely, or
 * `one` where the operations together send enough.
 */
export type Strength = 'part' | 'one';

export interface ProfileSettings {
  /** The least weight of what it sends. */
  readonly least: Weight;
  /** Which values go out in one request in place of many: those of a group, or all that can. */
  readonly joins: 'nothing' | 'groups' | 'all';
  /** Operations share the values of a step, so that together they get them all; otherwise each gets all. */
  readonly sharesValues: boolean;
  /** Cases take over valid calls from others, and those of set-up for what must be refused or uses nothing up. */
  readonly sharesCalls: boolean;
  /** On a call rides as much as fits of what a service may not notice; otherwise some of it, in changing company. */
  readonly loadsCalls: boolean;
  /** How many of so many requests a step of a strength sends. */
  readonly sends: (requests: number, strength: Strength) => number;
}

const all = (requests: number): number => requests;
const few = (requests: number, strength: Strength): number =>
  Math.min(requests, strength === 'one' ? 1 : Math.ceil(requests / 3));

export const profileSettings: Readonly<Record<Profile, ProfileSettings>> = {
  quick: { least: 'high', joins: 'all', sharesValues: true, sharesCalls: true, loadsCalls: true, sends: few },
  standard: {
    least: 'medium',
    joins: 'groups',
    sharesValues: false,
    sharesCalls: true,
    loadsCalls: false,
    sends: all,
  },
  deep: {
    least: 'low',
    joins: 'nothing',
    sharesValues: false,
    sharesCalls: false,
    loadsCalls: false,
    sends: all,
  },
};

export interface Planned {
  /** `high` if absent. */
  readonly weight?: Weight;
  /** It stands for many others: for those of a group, or for all that can go out in one request. */
  readonly joined?: 'group' | 'all';
}

export function includes(profile: Profile, weight: Weight = 'high'): boolean {
  return weights.indexOf(weight) >= weights.indexOf(profileSettings[profile].least);
}

export function sends(profile: Profile, { weight, joined }: Planned): boolean {
  const { joins } = profileSettings[profile];
  const isJoined = joined === undefined || joins === 'all' || (joined === 'group' && joins === 'groups');
  return isJoined && includes(profile, weight);
}

/** Whether something is true with this profile: as given, or where the profile sends what it stands beside. */
export function isTrueWith(profile: Profile, given: boolean | Planned = false): boolean {
  return typeof given === 'boolean' ? given : sends(profile, given);
}
