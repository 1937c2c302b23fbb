import type { Target } from '../harness/target/target.ts';
import { loadContract } from '../spec/contract.ts';
import { bareDispatch, bareRequest } from './bare-undici.ts';
import { drawInputs } from './path-inputs.ts';
import { type Sender, sendWhile } from './sender.ts';
import { wholePath } from './whole-path.ts';

/** Requests per second of each way, medians over all rounds. */
export interface Throughput {
  readonly harness: number;
  /** `pool.request`, body read as JSON. */
  readonly request: number;
  /** `pool.dispatch`, body gathered and parsed as JSON. */
  readonly dispatch: number;
}

/** Inputs that are sent over and over. */
const inputCount = 2_000;

/** Measures the three ways in turn, round after round, so that what else the machine does falls on all of them. */
export async function measureThroughput(
  target: Target,
  { rounds, roundMs, concurrency }: { rounds: number; roundMs: number; concurrency: number },
): Promise<Throughput> {
  const inputs = drawInputs(await loadContract(), target, inputCount);
  const ways: Record<keyof Throughput, Sender> = {
    dispatch: bareDispatch(target, concurrency),
    harness: await wholePath(target, concurrency),
    request: bareRequest(target, concurrency),
  };
  const rates: Record<keyof Throughput, number[]> = { dispatch: [], harness: [], request: [] };
  const names = Object.keys(ways) as Array<keyof Throughput>;
  // The first round only warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const started = performance.now();
      const sent = await sendWhile(
        ways[name],
        inputs,
        concurrency,
        () => performance.now() - started < roundMs,
      );
      if (round > 0) rates[name].push((sent * 1000) / (performance.now() - started));
    }
  }
  for (const name of names) await ways[name].close();
  return {
    harness: median(rates.harness),
    request: median(rates.request),
    dispatch: median(rates.dispatch),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}
