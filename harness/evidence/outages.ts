import { groupBy } from '../group-by.ts';

/** A stretch of time in which all operations got the answer of a gateway without a service behind it. */
export interface Outage {
  /** The status, or kind of failure, that most calls got. */
  readonly came: number | string;
  /** When the first of these calls ended, and the last, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly times: number;
  readonly operations: number;
  /** The call with which it began, where that got another such answer, and was no valid call. */
  readonly begunBy?: { readonly label: string; readonly came: number | string };
  /** Other calls were answered meanwhile, as by the other instances while one stops. */
  readonly isPartial?: true;
}

/** A call, and what came of it. */
export interface AnsweredCall {
  readonly operation: string;
  readonly end: number;
  readonly came: number | string;
  readonly isValid: boolean;
  readonly label: string;
}

/** The statuses of gateways without a service behind them, and the failures of a service that is gone. */
const ofAbsence: ReadonlySet<number | string> = new Set([502, 503, 504, 'reset', 'refused']);
const fewestCalls = 5;
const fewestOperations = 3;
const shortestMs = 1_000;
/** Of calls that an instance leaves unanswered as it stops: the fewest, and how far apart they are in milliseconds. */
const fewestLeft = 3;
const longestStop = 2_000;
/** Milliseconds before an outage in which the pace is measured. */
const beforeMs = 10_000;

/** Whether an answer is one of those that calls get in an outage. */
export function isOfAbsence(came: number | string | undefined): boolean {
  return came !== undefined && ofAbsence.has(came);
}

/**
 * The outages that calls met: as many calls as were served just before one were later served in the same time, so that it was
 * no limit on their rate.
 */
export function outagesOf(calls: readonly AnsweredCall[]): readonly Outage[] {
  const ordered = calls.toSorted((a, b) => a.end - b.end);
  const stretches: AnsweredCall[][] = [];
  for (const [at, call] of ordered.entries()) {
    if (!isOfAbsence(call.came)) continue;
    const before = ordered[at - 1];
    if (before === undefined || !isOfAbsence(before.came)) stretches.push([]);
    stretches.at(-1)?.push(call);
  }
  const outages = stretches.flatMap((stretch): readonly Outage[] => {
    const [first] = stretch;
    const to = stretch.at(-1)?.end ?? 0;
    const operations = new Set(stretch.map(({ operation }) => operation)).size;
    if (first === undefined || stretch.length < fewestCalls || operations < fewestOperations) return [];
    const from = first.end;
    const served = ordered.filter(({ end }) => end >= from - beforeMs && end < from).length;
    if (to - from < shortestMs || served === 0 || !isServedLater(ordered, to, served)) return [];
    const came = stretch[Math.floor(stretch.length / 2)]?.came ?? first.came;
    const begunBy =
      first.came === came || first.isValid ? {} : { begunBy: { label: first.label, came: first.came } };
    return [{ came, from, to, times: stretch.length, operations, ...begunBy }];
  });
  return outages.length > 0 ? outages : stopsIn(ordered);
}

/** The moments that hold all answers of a kind in a run, as where an instance stops and others go on. */
function stopsIn(ordered: readonly AnsweredCall[]): readonly Outage[] {
  const absent = ordered.filter(({ came }) => isOfAbsence(came));
  return [...groupBy(absent, ({ came }) => came)].flatMap(([came, calls]): readonly Outage[] => {
    const [from, to] = [calls[0]?.end ?? 0, calls.at(-1)?.end ?? 0];
    const operations = new Set(calls.map(({ operation }) => operation)).size;
    if (calls.length < fewestLeft || operations < 2 || to - from > longestStop) return [];
    return [{ came, from, to, times: calls.length, operations, isPartial: true }];
  });
}

/** Whether this many consecutive calls were served after a moment, within the time in which the pace is measured. */
function isServedLater(ordered: readonly AnsweredCall[], moment: number, served: number): boolean {
  const later = ordered.filter(({ end }) => end > moment);
  let row = 0;
  return later.some(({ came, end }, at) => {
    row = isOfAbsence(came) ? 0 : row + 1;
    return row >= served && end - (later[at - served + 1]?.end ?? 0) <= beforeMs;
  });
}
