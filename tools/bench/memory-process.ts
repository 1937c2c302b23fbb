import { readdir } from 'node:fs/promises';
import { drawInputs, sendWhile, startTargets, wholePath } from './senders.ts';

/** Numbers of exchanges after which the process measures itself. */
const milestones: readonly number[] = [10_000, 100_000, 1_000_000];
/** Milliseconds after which it sends no more. */
const longest = 300_000;

const targets = await startTargets();
const sender = await wholePath(targets.separate);
const inputs = await drawInputs(targets.separate);
const started = performance.now();
const hasTime = (): boolean => performance.now() - started < longest;
let exchanges = 0;
for (const milestone of milestones) {
  if (!hasTime()) break;
  const missing = milestone - exchanges;
  exchanges += (await sendWhile(sender, inputs, (sent) => sent < missing && hasTime())).sent;
  global.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.([
    exchanges.toLocaleString('en'),
    (heapUsed / 2 ** 20).toFixed(1),
    (rss / 2 ** 20).toFixed(0),
    (process.resourceUsage().maxRSS / 2 ** 10).toFixed(0),
    String((await readdir('/proc/self/fd').catch(() => undefined))?.length ?? 'unknown'),
    String(process.getActiveResourcesInfo().length),
    ((performance.now() - started) / 1000).toFixed(1),
  ]);
}
await sender.close();
await targets.close();
process.disconnect();
