import type { DocumentDeviation } from '../model/supplied-document.ts';
import type { Steps } from './json-pointers.ts';

/** A deviation before it is known whose it is. */
export type Difference = Omit<DocumentDeviation, 'operation'>;

/** The difference between what is expected and what is there; none where they agree. */
export function difference(
  holds: boolean,
  parts: {
    readonly kind: string;
    readonly statement: string;
    readonly expected: string;
    readonly actual: string;
    readonly fix: string;
    readonly clause?: string;
    readonly at: Steps;
  },
): readonly Difference[] {
  return holds ? [] : [parts];
}
