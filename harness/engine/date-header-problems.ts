import type { Exchange } from '../model/exchange.ts';

/** Milliseconds by which a service's clock may differ. */
const tolerance = 600_000;
/** Share of responses with another date that a cache may answer with. */
const cachedShare = 0.2;

/**
 * Whether the `Date` headers of the responses contradict the recorded times. Cached responses keep the date of their
 * origin, so a few old dates prove nothing; a date in the future does.
 */
export async function dateHeaderProblems(exchanges: AsyncIterable<Exchange>): Promise<readonly string[]> {
  let dated = 0;
  let older = 0;
  let newer = 0;
  for await (const { response, startedAt, durationMs } of exchanges) {
    const headers = response?.headers ?? [];
    const header = headers.find(([name]) => name.toLowerCase() === 'date')?.[1];
    const date = Date.parse(header ?? '');
    if (!Number.isFinite(date) || headers.some(([name]) => name.toLowerCase() === 'age')) continue;
    const began = Date.parse(startedAt);
    dated += 1;
    if (date < began - tolerance) older += 1;
    if (date > began + durationMs + tolerance) newer += 1;
  }
  const wrong = older + newer;
  if (newer === 0 && wrong <= dated * cachedShare) return [];
  return [
    `evidence.har: the Date headers of ${wrong} of ${dated} responses contradict the recorded times by more than ${tolerance / 60_000} minutes`,
  ];
}
