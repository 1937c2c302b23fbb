import type { Target } from '../../harness/model/target.ts';
import { loadContract } from '../../spec/contract.ts';
import { bareDispatch, bareRequest } from './bare-undici.ts';
import { median } from './median.ts';
import { drawInputs } from './path-inputs.ts';
import { type Sender, sendWhile } from './sender.ts';
import { wholePath } from './whole-path.ts';

/** What a way of sending achieves, medians over all rounds. */
export interface Pace {
  /** Requests per second. */
  readonly rate: number;
  /** Microseconds of processor time that this process spends on a request; hardly depends on what else runs. */
  readonly cost: number;
}

/** The paces of the ways that are compared. */
export interface Throughput {
  readonly harness: Pace;
  /** `pool.request`, body read as JSON. */
  readonly request: Pace;
  /** `pool.dispatch`, body gathered and parsed as JSON. */
  readonly dispatch: Pace;
}

/** Inputs that are sent over and over. */
const inputCount = 2_000;
/** Requests before anything is measured: until then the engine is still compiling. */
const warmUps = 30_000;
/** Milliseconds that they may take. */
const longestWarmUp = 8_000;

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
  const paces: Record<keyof Throughput, Pace[]> = { dispatch: [], harness: [], request: [] };
  const names = Object.keys(ways) as Array<keyof Throughput>;
  for (const name of names) {
    const until = performance.now() + longestWarmUp;
    await sendWhile(ways[name], inputs, concurrency, (sent) => sent < warmUps && performance.now() < until);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const started = performance.now();
      const cpu = process.cpuUsage();
      const sent = await sendWhile(
        ways[name],
        inputs,
        concurrency,
        () => performance.now() - started < roundMs,
      );
      const { user, system } = process.cpuUsage(cpu);
      const pace = { rate: (sent * 1000) / (performance.now() - started), cost: (user + system) / sent };
      paces[name].push(pace);
    }
  }
  for (const name of names) await ways[name].close();
  return {
    harness: medianPace(paces.harness),
    request: medianPace(paces.request),
    dispatch: medianPace(paces.dispatch),
  };
}

function medianPace(paces: readonly Pace[]): Pace {
  return { rate: median(paces.map(({ rate }) => rate)), cost: median(paces.map(({ cost }) => cost)) };
}
