import { digestOf } from '../evidence/target-summary.ts';
import type { Catalogue } from './catalogue.ts';

/** Digest of every requirement with its levels, and of every check with the requirement that it tests. */
export function catalogueDigest({
  requirements,
  checks,
}: Pick<Catalogue, 'requirements' | 'checks'>): string {
  return digestOf({
    requirements,
    checks: checks.map(({ id, kind, requirement, title }) => ({ id, kind, requirement, title })),
  });
}
