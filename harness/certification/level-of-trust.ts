/** Levels of trust, the lowest first. */
export const levelsOfTrust = ['self-declared', 'signed', 'challenged', 'countersigned'] as const;

/** How far a certificate can be trusted. */
export type LevelOfTrust = (typeof levelsOfTrust)[number];

/** Whether a level is at least another. */
export function reaches(level: LevelOfTrust, required: LevelOfTrust): boolean {
  return levelsOfTrust.indexOf(level) >= levelsOfTrust.indexOf(required);
}
