/** The day in UTC, such as 2027-01-31; days compare as texts. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
