import { limitsOf40 } from '../limiters.ts';
import { median } from '../median.ts';
import { paceLimit } from '../pace-limit.ts';
import type { Section } from '../section.ts';

const latencies = [1, 20, 100] as const;
const seeds = [1, 2, 3, 4, 5] as const;

/** The share of a rate limit that is used, and the share of throttled requests. */
export const pacing: Section = {
  name: 'pacing',
  title: 'Pacing against a rate limit',
  method:
    'The rate limiter sends 1,500 requests, at most 16 at once and without a fixed rate, to limits of 40 requests per second of ' +
    'several kinds, in virtual time: the same figures on every machine. Shown are the share of the limit that is used and the ' +
    'share of requests answered 429, medians of five seeds, at three latencies.',
  async measure() {
    const rows: string[][] = [];
    for (const [kind, limit] of Object.entries(limitsOf40)) {
      const cells: string[] = [];
      for (const latencyMs of latencies) {
        const all = [];
        for (const seed of seeds) all.push(await paceLimit(limit(), { perSecond: 40, latencyMs, seed }));
        cells.push(percent(median(all.map(({ used }) => used))));
        cells.push(percent(median(all.map(({ refused }) => refused))));
      }
      rows.push([kind, ...cells]);
    }
    return { head: ['limit', ...latencies.flatMap((ms) => [`used at ${ms} ms`, '429'])], rows };
  },
};

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
