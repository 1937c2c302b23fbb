import { median, rounds, type Section } from '../section.ts';
import {
  bareUndici,
  drawInputs,
  type Pace,
  type Sender,
  sendWhile,
  startTargets,
  wholePath,
} from '../senders.ts';

/** Requests before anything is measured, because the engine compiles until then, and their longest time. */
const warmUp = { requests: 30_000, ms: 8_000 };
const roundMs = 1_000;

/** The cost of a fuzz exchange in comparison with the same request sent by bare undici. */
export const fuzzThroughput: Section = {
  name: 'throughput',
  title: 'Fuzzing throughput',
  method:
    'A run (which prepares, paces, sends and records each request, and evaluates it by every passive check) and bare undici ' +
    '(`pool.request`, with the body read as JSON) send the same path values over as many connections, in alternating rounds. ' +
    'Medians. A ratio is the share of what bare undici reaches.',
  async measure() {
    const targets = await startTargets();
    const rows: string[][] = [];
    for (const [title, target] of [
      ['reference service, same process', targets.embedded],
      ['reference service, another process', targets.separate],
    ] as const) {
      const inputs = await drawInputs(target);
      const measure = (sender: Sender, ms: number, most = Number.POSITIVE_INFINITY): Promise<Pace> =>
        sendWhile(sender, inputs, (sent, elapsedMs) => sent < most && elapsedMs < ms);
      const harness = await wholePath(target);
      const bare = bareUndici(target);
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
      const [rate, cost] = [of(harness, 'rate'), of(harness, 'cost')];
      const [bareRate, bareCost] = [of(bare, 'rate'), of(bare, 'cost')];
      const ratios = [(rate / bareRate).toFixed(2), (bareCost / cost).toFixed(2)] as const;
      rows.push(
        [title, 'harness', rate.toFixed(0), ratios[0], cost.toFixed(1), ratios[1]],
        [title, 'bare undici', bareRate.toFixed(0), '', bareCost.toFixed(1), ''],
      );
    }
    await targets.close();
    return { head: ['target', 'way', 'requests/s', 'ratio', 'CPU µs/request', 'ratio of CPU'], rows };
  },
};
