import { seededRandom } from '../../harness/seeded-random.ts';
import type { Mutant, Subject } from './subject.ts';

/** The mutant of a number; the same seed, number, subjects and originals give the same mutant. */
export function chooseMutant<Originals>(
  subjects: ReadonlyArray<Subject<Originals>>,
  originals: Originals,
  { seed, number }: { readonly seed: number; readonly number: number },
): Mutant & { readonly subject: string } {
  const random = seededRandom(seed, 'mutants', String(number));
  let place = random() * subjects.reduce((sum, { weight }) => sum + weight, 0);
  for (const subject of subjects) {
    place -= subject.weight;
    if (place < 0) return { subject: subject.name, ...subject.mutate(originals, random) };
  }
  throw new Error('there is no subject');
}
