import type { Contract } from '../../spec/contract.ts';
import type { HeaderList } from '../model/exchange.ts';
import type { Target } from '../model/target.ts';
import type { Profile } from '../sampling/profile.ts';
import type { KeyRing } from './key-ring.ts';
import type { KnownValues } from './known-values.ts';

/** What the requests of a run are built from. */
export interface RequestContext {
  readonly target: Target;
  readonly contract: Contract;
  readonly keys: KeyRing;
  readonly known: KnownValues;
  readonly seed: number;
  readonly profile: Profile;
  /** What unique values derive from. */
  readonly salt: string;
  readonly userAgent: string;
  /** Headers in place of the harness's own. */
  readonly disguise?: HeaderList;
}
