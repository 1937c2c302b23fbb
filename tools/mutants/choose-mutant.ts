import { seededRandom } from '../../harness/seeded-random.ts';
import type { Originals } from './originals.ts';
import type { Mutant, Subject } from './subject.ts';
import { subjects } from './subjects.ts';

const total = subjects.reduce((sum, { weight }) => sum + weight, 0);

/** The mutant of a number; the same seed, number and originals give the same mutant. */
export function chooseMutant(
  originals: Originals,
  seed: number,
  number: number,
): Mutant & { readonly subject: string } {
  const random = seededRandom(seed, 'mutants', String(number));
  const subject = subjectAt(number % total);
  return { subject: subject.name, ...subject.mutate(originals, random) };
}

function subjectAt(place: number): Subject {
  let rest = place;
  for (const subject of subjects) {
    rest -= subject.weight;
    if (rest < 0) return subject;
  }
  throw new Error(`there is no subject at ${place}`);
}
