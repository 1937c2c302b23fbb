import { readdir } from 'node:fs/promises';
import { loadContract } from '../../spec/contract.ts';
import type { Footprint } from './memory.ts';
import { drawInputs } from './path-inputs.ts';
import { sendWhile } from './sender.ts';
import { startTargets } from './target-addresses.ts';
import { wholePath } from './whole-path.ts';

/** Exchanges after which it is looked. */
const looks: readonly number[] = [10_000, 100_000, 1_000_000];
/** Milliseconds after which no further ones are made. */
const longest = 300_000;

const concurrency = Number(process.argv[2]);
const targets = await startTargets();
const sender = await wholePath(targets.service, concurrency);
const inputs = drawInputs(await loadContract(), targets.service, 2_000);
const started = performance.now();
const hasTime = (): boolean => performance.now() - started < longest;
let exchanges = 0;
for (const look of looks) {
  if (!hasTime()) break;
  const missing = look - exchanges;
  exchanges += await sendWhile(sender, inputs, concurrency, (sent) => sent < missing && hasTime());
  global.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const footprint: Footprint = {
    exchanges,
    heapMb: heapUsed / 2 ** 20,
    rssMb: rss / 2 ** 20,
    peakRssMb: process.resourceUsage().maxRSS / 2 ** 10,
    descriptors: (await readdir('/proc/self/fd').catch(() => undefined))?.length,
    handles: process.getActiveResourcesInfo().length,
    seconds: (performance.now() - started) / 1000,
  };
  process.send?.(footprint);
}
await sender.close();
await targets.close();
process.disconnect();
