/** Whether a rate limit lets a request through that arrives at `now` milliseconds. */
export type Limiter = (now: number) => boolean;

/** A bucket that holds `burst` tokens and gains `perSecond`. */
export function tokenBucket(perSecond: number, burst: number): Limiter {
  let tokens = burst;
  let last = 0;
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - last) * perSecond) / 1000);
    last = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** At most `most` requests in each window that begins at a multiple of `windowMs`. */
function fixedWindow(most: number, windowMs: number): Limiter {
  let window = -1;
  let taken = 0;
  return (now) => {
    const current = Math.floor(now / windowMs);
    if (current !== window) [window, taken] = [current, 0];
    taken += 1;
    return taken <= most;
  };
}

/** At most `most` requests in any `windowMs`; refused ones count too where the limit is strict. */
function slidingWindow(most: number, windowMs: number, strict = false): Limiter {
  const taken: number[] = [];
  return (now) => {
    while ((taken[0] ?? now) <= now - windowMs) taken.shift();
    const passes = taken.length < most;
    if (passes || strict) taken.push(now);
    return passes;
  };
}

/** Ways in which services limit a client to 40 requests per second. */
export const limitsOf40: Readonly<Record<string, () => Limiter>> = {
  'a bucket of 40 tokens': () => tokenBucket(40, 40),
  'a bucket of 10 tokens': () => tokenBucket(40, 10),
  '40 in each second': () => fixedWindow(40, 1_000),
  '400 in each ten seconds': () => fixedWindow(400, 10_000),
  '40 in any second': () => slidingWindow(40, 1_000),
  '40 in any second, refused ones counted': () => slidingWindow(40, 1_000, true),
};
