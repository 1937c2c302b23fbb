import { swapCase } from '../../harness/requests/key-ring.ts';
import { mutatePreservingShape } from '../../harness/requests/mutate-preserving-shape.ts';

/** Letters and digits that a value needs so that a near miss cannot be the value of another login by chance. */
export const lettersOfNearMiss = 16;
/** The same for a value that shares only the shape; a shorter one is extended. */
const lettersOfLookAlike = 6;

/** The number of letters and digits of a value. */
export function lettersIn(value: string): number {
  return value.replaceAll(/[^A-Za-z0-9]/g, '').length;
}

/** A value in the shape of an issued one; a short one is extended, as another short one may belong to another login. */
export function lookAlike(value: string, random: () => number): string {
  const model = lettersIn(value) < lettersOfLookAlike ? `${value}482915`.slice(0, 14) : value;
  return mutatePreservingShape(model, random);
}

/** The value with its last letter but one changed: the low bits of the last base64 character may have no meaning. */
export function nearMiss(value: string, random: () => number): string {
  const places = [...value.matchAll(/[A-Za-z0-9]/g)].map((match) => match.index);
  const place = places.at(-2) ?? 0;
  const changed = mutatePreservingShape(value.slice(place, place + 1), random);
  return value.slice(0, place) + changed + value.slice(place + 1);
}

/** The value in the other letter case; as it is where that may mean the same, as in hexadecimal digits. */
export function inOtherCase(value: string): string {
  const hasBothCases = /[a-z]/.test(value) && /[A-Z]/.test(value);
  return hasBothCases ? swapCase(value) : value;
}

/** The value and more; as it is where a lenient decoder stops at the padding of base64. */
export function extended(value: string): string {
  return value.endsWith('=') ? value : `${value}xq7`;
}
