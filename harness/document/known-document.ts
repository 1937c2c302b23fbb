import type { Caller } from '../calling/caller.ts';
import type { Evidence } from '../checks/check.ts';
import type { Exchange } from '../recording/exchange.ts';
import type { Json } from '../target/target.ts';
import type { SuppliedDocument } from './supplied-document.ts';

/** Evidence together with the document that was supplied for the run. */
export type DocumentedEvidence = Evidence & { readonly document?: SuppliedDocument | undefined };

/** An exchange of an example, together with the document of its run. */
export type DocumentedExchange = {
  readonly exchange: Exchange;
  readonly operation: Evidence['operation'];
  readonly document?: SuppliedDocument | undefined;
};

/** A caller that knows the supplied document and gives its valid bodies away. */
export type DocumentedCaller = Caller & {
  readonly document?: SuppliedDocument | undefined;
  /** The known valid body with captured values taken afresh; throws `CannotJudge` where none is known. */
  readonly validBody?: () => Promise<Json>;
};

/** Why nothing is judged where the user gave no document. */
export const noDocument = 'no document was supplied';
