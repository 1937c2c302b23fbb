import type { Report } from '../../harness/model/report.ts';
import { duration, firstOf, number, sentence } from './wording.ts';

const mostOperations = 3;

/** Responses that slowed a run down, by status. */
type Refusals = Readonly<Record<string, number>>;

/** The responses that slowed a run down, such as `429, a firewall's 403`. */
export function refusersInWords(by: Refusals): string {
  return Object.keys(by)
    .map((status) => (status === '403' ? "a firewall's 403" : status))
    .join(', ');
}

/** A pace for people, such as `3.1 requests/s`. */
export function paceInWords(perSecond: number): string {
  return `${perSecond < 10 ? Number(perSecond.toFixed(1)) : number(Math.round(perSecond))} requests/s`;
}

const ofGateway: readonly string[] = ['502', '503', '504'];

const raise = 'raise the limit for this client on staging; a --rate below it avoids most refusals';

/** A firewall refuses requests for their values if not for their rate; a gateway also where the service is away. */
function refuserOf(by: Refusals): { readonly slows: string; readonly remedy: string } {
  const statuses = Object.keys(by);
  if (statuses.every((status) => status === '403')) {
    const remedy = 'To speed up, exempt this client from its rules, or exclude the values that it blocks';
    return { slows: 'slowed', remedy };
  }
  return statuses.every((status) => ofGateway.includes(status))
    ? {
        slows: 'slowed',
        remedy: `Look for what restarted or was replaced; if a limiter answers so, ${raise}`,
      }
    : { slows: 'throttled', remedy: `To speed up, ${raise}` };
}

/** A remedy with the rate at which the target served the run in place of words for it. */
export function withServedRate(remedy: string, { run, traffic }: Report): string {
  const served = (1000 * (traffic.requests - traffic.throttled)) / Math.max(1, run.durationMs);
  const pace = run.slowed?.pace ?? served;
  const rate = pace >= 1 ? Math.floor(pace) : Math.max(0.1, Number(pace.toFixed(1)));
  return remedy.replace('<fewer requests per second>', String(rate));
}

/** The reason why a throttled run waits, in a sentence or two. */
export function describeSlowdown(by: Refusals, perSecond: number, waiting: readonly string[]): string {
  const now =
    perSecond > 0 ? `the pace is ${paceInWords(perSecond)}` : 'no request has been served for a while';
  const whose =
    waiting.length === 0
      ? ''
      : `, and ${firstOf(waiting, mostOperations)} ${waiting.length === 1 ? 'waits' : 'wait'}`;
  const { slows, remedy } = refuserOf(by);
  return sentence(`${slows} by ${refusersInWords(by)}: ${now}${whose}. ${remedy}.`);
}

/** How refusals slowed a finished run down; undefined where they hardly did. */
export function slowedInWords({ run: { slowed } }: Report): string | undefined {
  if (slowed === undefined) return undefined;
  const { by, ms, pace } = slowed;
  const { slows, remedy } = refuserOf(by);
  return `${slows} by ${refusersInWords(by)} for ${duration(ms)}: the pace was ${paceInWords(pace)}. ${remedy}.`;
}
