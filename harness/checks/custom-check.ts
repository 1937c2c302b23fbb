import type { ActiveCheck, CollectiveCheck, PassiveCheck } from './check.ts';

/** A requirement beside those of the contract, which the check that tests it brings along. */
export interface OwnRequirement {
  /** Begins with `OWN-`, such as `OWN-CACHE-1`, so that no version of ours can come to have it. */
  readonly id: string;
  /** What a violation weighs. */
  readonly level: 'must' | 'should' | 'info';
  /** One sentence stating what holds. */
  readonly text: string;
  /** Where it is written, such as `Platform handbook, chapter 3`. */
  readonly section?: string;
}

type With<C> = Omit<C, 'requirement'> & { readonly requirement: OwnRequirement };

/** What a file of a folder given by `--checks` exports by default: a check like ours, with its requirement in place of an id. */
export type CustomCheck = With<ActiveCheck> | With<PassiveCheck> | With<CollectiveCheck>;

/** The area of all of them, under which no check of ours stands. */
export const ownArea = 'own';

const ownPrefix = `${ownArea}/`;

/** Whether the check with this id is one of these. */
export function isCustom(check: string): boolean {
  return check.startsWith(ownPrefix);
}
