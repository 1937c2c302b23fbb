import { median, type Section } from '../section.ts';
import { bareUndici, drawInputs, type Pace, type Sender, sendWhile, wholePath } from '../senders.ts';
import { startTargets } from '../targets.ts';

/** Requests before anything is measured, because the engine compiles until then, and their longest time. */
const warmUp = { requests: 30_000, ms: 8_000 };

/** The cost of a fuzz exchange in comparison with the same request sent by bare undici. */
export const fuzzThroughput: Section = {
  name: 'throughput',
  title: 'Fuzzing throughput',
  method:
    'A run (which prepares, paces, sends and records each request, and evaluates it by every passive check) and bare undici ' +
    '(`pool.request`, with the body read as JSON) send the same path values over as many connections, in alternating rounds. ' +
    'Medians. A ratio is the share of what bare undici reaches.',
  async measure({ rounds, roundMs, concurrency }) {
    const targets = await startTargets();
    try {
      const rows: string[][] = [];
      for (const [title, target] of [
        ['reference service, same process', targets.embedded],
        ['reference service, another process', targets.separate],
      ] as const) {
        const inputs = await drawInputs(target);
        const measure = (sender: Sender, ms: number, most = Number.POSITIVE_INFINITY): Promise<Pace> =>
          sendWhile(sender, inputs, concurrency, (sent, elapsedMs) => sent < most && elapsedMs < ms);
        const harness = await wholePath(target, concurrency);
        const bare = bareUndici(target, concurrency);
        const paces = new Map<Sender, Pace[]>([
          [harness, []],
          [bare, []],
        ]);
        for (const sender of paces.keys()) await measure(sender, warmUp.ms, warmUp.requests);
        for (let round = 0; round < rounds; round += 1)
          for (const [sender, all] of paces) all.push(await measure(sender, roundMs));
        await Promise.all([harness.close(), bare.close()]);
        const of = (sender: Sender, figure: keyof Pace): number =>
          median((paces.get(sender) ?? []).map((pace) => pace[figure]));
        const row = (
          way: string,
          sender: Sender,
          ratios: readonly [number, number] | undefined,
        ): string[] => [
          ...[title, way, of(sender, 'rate').toFixed(0), ratios?.[0].toFixed(2) ?? ''],
          ...[of(sender, 'cost').toFixed(1), ratios?.[1].toFixed(2) ?? ''],
        ];
        const ratios = [
          of(harness, 'rate') / of(bare, 'rate'),
          of(bare, 'cost') / of(harness, 'cost'),
        ] as const;
        rows.push(row('harness', harness, ratios), row('bare undici', bare, undefined));
      }
      return { head: ['target', 'way', 'requests/s', 'ratio', 'CPU µs/request', 'ratio of CPU'], rows };
    } finally {
      await targets.close();
    }
  },
};
