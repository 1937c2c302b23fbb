import picomatch from 'picomatch';
import type { Contract } from '../../../spec/contract.ts';
import type { Requirement } from '../../../spec/requirements.ts';
import type {
  ActiveCheck,
  Case,
  CollectiveCheck,
  IdentifiedCheck,
  PassiveCheck,
} from '../../checks/check.ts';
import type { RunOptions } from '../../model/run-options.ts';
import { withSetUp } from '../../pacing/budget.ts';
import { includes, isTrueWith, type Profile, profileSettings } from '../../sampling/profile.ts';
import type { Effort } from '../../sampling/step-plan.ts';
/** Requests of a run, or of one shard, for preflight, clean-up and optional calls. */
export const roomAside = 130;

/** All cases of a run, in a fixed order. */
export interface Plan {
  /** In the order in which they run. */
  readonly active: ReadonlyArray<Case<ActiveCheck>>;
  readonly passive: ReadonlyArray<Case<PassiveCheck>>;
  readonly collective: ReadonlyArray<Case<CollectiveCheck>>;
  /** Pairs of operation and check to which the requirement does not apply. */
  readonly notApplicable: readonly Case[];
}

/** The settings that determine the requests of a run, besides its plan. */
export interface Sending extends Effort {
  /** Whether the platform's own OpenAPI document was supplied; without one, the checks that need it send nothing. */
  readonly hasDocument: boolean;
}

/** Selects the cases of a run. */
export type Selection = Pick<RunOptions, 'operations' | 'checks'> & { readonly profile?: Profile };

/** All cases that a run is bound to give a result for. */
export function plannedCases(plan: Plan): readonly Case[] {
  return [...plan.active, ...plan.passive, ...plan.collective];
}

/** Requests of one attempt at a case to a conforming service, set-up aside. */
export function requestsOf({ check, operation }: Case<ActiveCheck>, { fuzzRuns, profile }: Effort): number {
  return check.requests(operation, fuzzRuns, profile);
}

/** The cases of a plan that send requests. */
export function sendingCases({ active }: Plan, { hasDocument }: Sending): ReadonlyArray<Case<ActiveCheck>> {
  return active.filter(({ check }) => check.needsDocument !== true || hasDocument);
}

/** Requests of one attempt at every case of a plan, set-up aside. */
export function announcedRequests(plan: Plan, sending: Sending): number {
  return sendingCases(plan, sending).reduce((sum, planned) => sum + requestsOf(planned, sending), 0);
}

/** The random inputs of each kind that a run sends: as many as the user asks for, or as its limit has room for. */
export function affordableFuzzRuns(
  plan: Plan,
  { fuzzRuns, ...sending }: Sending,
  maxRequests: number,
): number {
  const fits = (runs: number): boolean =>
    announcedRequests(plan, { ...sending, fuzzRuns: runs }) * withSetUp + roomAside <= maxRequests;
  let [most, least] = [fuzzRuns, 0];
  if (fits(most)) return most;
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (fits(middle)) least = middle;
    else most = middle;
  }
  return least;
}

/**
 * A limit that a run against a conforming service does not reach: the planned requests, and as many again for set-up,
 * repetitions after a 429, retries and confirmations. The rest is for preflight and clean-up.
 */
export function sufficientRequests(plan: Plan, sending: Sending): number {
  return 2 * announcedRequests(plan, sending) + roomAside;
}

/** Every applicable pair of operation and check that profile and globs select; a glob matches the id of a check or requirement. */
export function planCases(
  contract: Contract,
  checks: readonly IdentifiedCheck[],
  requirements: readonly Requirement[],
  { operations, checks: wantedChecks, profile = 'standard' }: Selection,
): Plan {
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const wantsOperation = matcher(operations);
  const wantsCheck = matcher(wantedChecks);
  const plan = {
    active: [] as Case<ActiveCheck>[],
    passive: [] as Case<PassiveCheck>[],
    collective: [] as Case<CollectiveCheck>[],
    notApplicable: [] as Case[],
  };
  for (const check of checks) {
    if (!wantsCheck(check.id, check.requirement)) continue;
    const requirement = byId.get(check.requirement);
    if (requirement === undefined)
      throw new Error(`${check.id} names ${check.requirement}, which is no requirement`);
    for (const operation of contract.operations) {
      if (!wantsOperation(operation.id)) continue;
      const planned = { id: `${operation.id}/${check.id}`, operation, requirement };
      if (check.kind === 'active' && !includes(profile, check.weight?.(operation))) continue;
      const list: Case[] = plan[check.applies(operation) ? check.kind : 'notApplicable'];
      list.push({ ...planned, check });
    }
  }
  // Where cases share valid calls, those that cannot take another's come first.
  const provides = ({ check: { steps = {} } }: Case<ActiveCheck>): boolean =>
    profileSettings[profile].sharesCalls &&
    Object.values(steps).some(({ isOwn }) => isTrueWith(profile, isOwn));
  // A budget that is too small should complete as many cases as possible, but cases that others wait for come first.
  const ranks = new Map(
    plan.active.map((planned) => {
      const { check, operation } = planned;
      const requests = check.alone?.(operation) === true ? 0 : check.requests(operation, 0, profile);
      return [planned, (check.stage === 'last' ? 100_000 : 0) + (provides(planned) ? -1 : requests)];
    }),
  );
  return { ...plan, active: plan.active.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0)) };
}

/** Whether a glob selects one of the names, and no glob with an exclamation mark excludes one. */
function matcher(globs: readonly string[]): (...names: readonly string[]) => boolean {
  const unwanted = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const wanted = globs.filter((glob) => !glob.startsWith('!'));
  const matches = (list: readonly string[]): ((name: string) => boolean) =>
    picomatch([...list], { nocase: true });
  return (...names) =>
    (wanted.length === 0 || names.some(matches(wanted))) &&
    !(unwanted.length > 0 && names.some(matches(unwanted)));
}
