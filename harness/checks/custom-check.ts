import type { ActiveCheck, CollectiveCheck, PassiveCheck } from './check.ts';

/** A requirement beyond the contract, which the check that tests it defines. */
export interface OwnRequirement {
  /** Begins with `OWN-`, such as `OWN-CACHE-1`, a prefix that the harness never uses for its own requirements. */
  readonly id: string;
  /** The weight of a violation. */
  readonly level: 'must' | 'should' | 'info';
  /** The rule, in one sentence. */
  readonly text: string;
  /** Its source, such as `Platform handbook, chapter 3`. */
  readonly section?: string;
}

type With<C> = Omit<C, 'requirement'> & { readonly requirement: OwnRequirement };

/** The default export of a file in the folder that `--checks` names: a check with its requirement in place of an id. */
export type CustomCheck = With<ActiveCheck> | With<PassiveCheck> | With<CollectiveCheck>;

/** The area of all custom checks, which no other check uses. */
export const ownArea = 'own';

const ownPrefix = `${ownArea}/`;

/** Whether the check with this id is a custom check. */
export function isCustom(check: string): boolean {
  return check.startsWith(ownPrefix);
}
