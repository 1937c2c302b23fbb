import type { Random } from './random-choice.ts';

/** The files of a mutant by their paths, and the command that reads them. */
export interface Mutant {
  readonly files: Readonly<Record<string, string | Buffer>>;
  readonly args: readonly string[];
}

/** A kind of input file, of which mutants are made. */
export interface Subject<Originals> {
  readonly name: string;
  /** Its share of all mutants, in relation to the others. */
  readonly weight: number;
  readonly mutate: (originals: Originals, random: Random) => Mutant;
}
