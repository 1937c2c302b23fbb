import type { Section } from '../section.ts';
import { startTargets } from '../target-addresses.ts';
import { measureThroughput } from '../throughput.ts';

const measured = [
  { name: 'embedded', title: 'reference service, same process' },
  { name: 'service', title: 'reference service, another process' },
  { name: 'plain', title: 'plain node:http server, another process' },
] as const;

/** What a fuzz exchange costs beside the same request sent by bare undici. */
export const fuzzThroughput: Section = {
  name: 'throughput',
  title: 'Fuzzing throughput',
  method:
    'The same path values are sent by the whole path of a run (prepared, paced, sent, recorded without secrets, evaluated by ' +
    'every passive check) and by bare undici, which reads the answer as JSON; in turn, round after round, over as many ' +
    'connections. Medians. A ratio is the share of what bare undici reaches.',
  async measure({ rounds, roundMs, concurrency }) {
    const targets = await startTargets();
    try {
      const rows: string[][] = [];
      for (const { name, title } of measured) {
        const { harness, ...bare } = await measureThroughput(targets[name], { rounds, roundMs, concurrency });
        rows.push([title, 'harness', Math.round(harness.rate).toString(), '', harness.cost.toFixed(1), '']);
        for (const [way, { rate, cost }] of Object.entries(bare)) {
          rows.push([
            '',
            `bare pool.${way}`,
            Math.round(rate).toString(),
            (harness.rate / rate).toFixed(2),
            cost.toFixed(1),
            (cost / harness.cost).toFixed(2),
          ]);
        }
      }
      return { head: ['target', 'way', 'requests/s', 'ratio', 'CPU µs/request', 'ratio of CPU'], rows };
    } finally {
      await targets.close();
    }
  },
};
