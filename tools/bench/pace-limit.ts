import { RateLimiter } from '../../harness/pacing/rate-limiter.ts';
import { seededRandom } from '../../harness/seeded-random.ts';
import type { Limiter } from './limiters.ts';
import { VirtualTime } from './virtual-time.ts';

/** What a client that paces itself makes of a limit. */
export interface Pacing {
  /** Share of what the limit allows that was used. */
  readonly used: number;
  /** Share of the requests that were answered 429. */
  readonly refused: number;
  readonly seconds: number;
}

/** Requests that are to be served. */
const wanted = 1_500;
/** Cases that send at the same time. */
const cases = 32;

/** Sends through the rate limiter in virtual time, as the cases of a run do: each throttled request is sent again. */
export async function paceLimit(
  limiter: Limiter,
  { perSecond, latencyMs, seed }: { perSecond: number; latencyMs: number; seed: number },
): Promise<Pacing> {
  const time = new VirtualTime();
  const rateLimiter = new RateLimiter({
    concurrency: 16,
    rate: undefined,
    maxRequests: 100_000,
    random: seededRandom(seed, 'jitter'),
    now: () => time.now,
    sleep: (ms) => time.sleep(ms),
  });
  const latency = seededRandom(seed, 'latency');
  const halfway = (): Promise<void> => time.sleep(latencyMs * (0.25 + latency() * 0.5));
  const send = async (): Promise<boolean> => {
    await halfway();
    const passes = limiter(time.now);
    await halfway();
    return passes;
  };
  let [begun, served, refused] = [0, 0, 0];
  const work = async (): Promise<void> => {
    while (begun < wanted) {
      begun += 1;
      while (!(await rateLimiter.run(send, (passes) => (passes ? 'served' : 'throttled')))) refused += 1;
      served += 1;
    }
  };
  await time.run(Promise.all(Array.from({ length: cases }, work)));
  const seconds = time.now / 1000;
  return { used: served / seconds / perSecond, refused: refused / (served + refused), seconds };
}
