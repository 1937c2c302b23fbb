import type { Sandbox } from './sandbox.ts';

/** A state of affairs in which the package has to work. */
export interface Situation {
  readonly name: string;
  /** Throws where it does not work; gives what is to be said besides, such as what this machine does not allow. */
  readonly holds: (sandbox: Sandbox) => Promise<string | undefined>;
}
