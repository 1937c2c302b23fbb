import type { Exchange } from './exchange.ts';

/** One statement that does not hold, with the exchange that shows it. */
export interface Violation {
  /** The statement that ought to hold, such as `an unknown key is refused`. */
  readonly statement: string;
  /** The headline of its findings, where the one of the requirement names other defects as well. */
  readonly headline?: string;
  /** What the contract requires, such as `401`. */
  readonly expected: string;
  /** What was observed, such as `200`; free of values that change from run to run. */
  readonly actual: string;
  /** The clause of the requirement that is violated; absent for the requirement itself. */
  readonly clause?: string;
  /**
   * Distinguishes defects that one case can show side by side, such as `NUL` or a JSON Pointer. Part of the finding's id:
   * the same in every run, and not a sentence, so that rewording a message breaks no baseline.
   */
  readonly kind?: string;
  /** The kind of deviation, if a document or several checks show it, such as `missing-status`; not part of the finding's id. */
  readonly deviation?: string;
  /** The concurrent or earlier calls without which the same call is answered correctly: `with 8 calls under way`. */
  readonly company?: string;
  /** The fix for this violation; absent if the fix of the requirement applies. */
  readonly fix?: string;
  /** Classes of values whose exclusion avoids the violation, by the names that `exclude` takes. */
  readonly excludable?: readonly string[];
  /** Details of this sighting, such as a counterexample; may differ between runs and seeds. */
  readonly detail?: string;
  readonly exchange: Exchange;
  /** Other exchanges that show it, if it represents several. */
  readonly relatedExchanges?: readonly Exchange[];
  /** The exchanges that show it together, in order, where they are not those that used the same issued value. */
  readonly steps?: readonly Exchange[];
  /** How to see it, where sending the exchange again would not show it. */
  readonly reproduction?: string;
}

/** The evaluation of the exchanges of one case. */
export type Evaluation =
  /** The requirement was tested and holds. */
  | { readonly outcome: 'pass'; readonly message: string }
  /** It does not hold. */
  | { readonly outcome: 'violated'; readonly violations: readonly [Violation, ...Violation[]] }
  /** The exchanges do not tell. */
  | {
      readonly outcome: 'inconclusive';
      readonly reason: string;
      /** The line to add to the target file, or the thing to do, that would decide it. */
      readonly remedy?: string;
      /** The result may differ at the next attempt. */
      readonly transient?: boolean;
    }
  /** Nothing here can be evaluated, and nothing could change that. */
  | { readonly outcome: 'not-applicable'; readonly reason: string };

/** A passive check's evaluation of one exchange; `undefined` where the requirement does not apply to it. */
export type ExchangeEvaluation = 'holds' | Violation | undefined;
